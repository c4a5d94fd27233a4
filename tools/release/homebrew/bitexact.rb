class Bitexact < Formula
  desc "Decodes data files of 1994-2002 games and encodes them again without changing a bit"
  homepage "https://github.com/@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/bitexact-v@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/bitexact-v@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_intel do
      url "https://github.com/@REPOSITORY@/releases/download/v@VERSION@/bitexact-v@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256:x86_64-unknown-linux-gnu.tar.gz@"
    end
  end

  def install
    bin.install "bitexact"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/bitexact.bash" => "bitexact"
    fish_completion.install "completions/bitexact.fish"
    zsh_completion.install "completions/bitexact.zsh" => "_bitexact"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bitexact --version")
  end
end
