// A sound, with its wave.

import { useEffect, useMemo, useRef } from "preact/hooks";

interface Wave {
  channels: number;
  rate: number;
  bits: number;
  format: number;
  begin: number;
  bytes: number;
}

/** The format and the samples of a WAV. */
function waveOf(wav: Uint8Array): Wave | undefined {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  let wave: Wave | undefined;
  for (let at = 12; at + 8 <= wav.length;) {
    const id = String.fromCharCode(...wav.subarray(at, at + 4));
    const length = Math.min(view.getUint32(at + 4, true), wav.length - at - 8);
    if (id === "fmt " && length >= 16) {
      const [format, channels] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
      wave = { format, channels, rate: view.getUint32(at + 12, true), bits: view.getUint16(at + 22, true), begin: 0, bytes: 0 };
    }
    if (id === "data" && wave) return { ...wave, begin: at + 8, bytes: length };
    at += 8 + length + (length % 2);
  }
  return undefined;
}

export function Sound({ bytes, name }: { bytes: Uint8Array; name: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes as BlobPart], { type: "audio/wav" })), [bytes]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const wave = useMemo(() => waveOf(bytes), [bytes]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isPlain = wave && wave.format === 1 && (wave.bits === 8 || wave.bits === 16) && wave.channels > 0;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !wave || !isPlain) return;
    const { width, height } = context.canvas;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const step = (wave.bits / 8) * wave.channels;
    const count = Math.floor(wave.bytes / step);
    const sample = (index: number) =>
      wave.bits === 8 ? view.getUint8(wave.begin + index * step) / 128 - 1 : view.getInt16(wave.begin + index * step, true) / 32768;
    context.clearRect(0, 0, width, height);
    context.fillStyle = getComputedStyle(context.canvas).color;
    for (let x = 0; x < width; x += 1) {
      const [from, to] = [
        Math.floor((x * count) / width),
        Math.max(Math.floor((x * count) / width) + 1, Math.floor(((x + 1) * count) / width)),
      ];
      let [low, high] = [1, -1];
      // A column of a long sound looks at some of its samples.
      for (let index = from; index < Math.min(to, count); index += Math.max(1, Math.floor((to - from) / 200))) {
        const it = sample(index);
        low = Math.min(low, it);
        high = Math.max(high, it);
      }
      if (high >= low) context.fillRect(x, ((1 - high) * height) / 2, 1, Math.max(1, ((high - low) * height) / 2));
    }
  }, [bytes, wave]);
  const seconds = wave && wave.rate > 0 ? wave.bytes / Math.max(1, (wave.bits / 8) * wave.channels) / wave.rate : undefined;
  return (
    <div class="sound">
      {isPlain && <canvas ref={canvas} width={800} height={120} role="img" aria-label={`Wave of ${name}`} />}
      <audio controls src={url} aria-label={name} />
      {wave && (
        <p class="quiet">
          {wave.channels === 1 ? "mono" : wave.channels === 2 ? "stereo" : `${wave.channels} channels`}, {wave.rate} Hz, {wave.bits} bits
          {isPlain && seconds !== undefined ? `, ${seconds.toFixed(2)} s` : wave.format !== 1 ? ", compressed" : ""}
        </p>
      )}
    </div>
  );
}
