// Models in parts have the triangles of the file: those that three.js finds in it, in the coordinates of the whole.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { give, open, root, shots } from "./chromium.mjs";
import { check, covered, install, none, run, scratch, started } from "./common.mjs";

/** Returns a triangle as text: its material, and for each corner its position, normal, texture coordinates and color, rounded. */
const told = (material, corners) =>
  `${material} ${corners
    .map((corner) => corner.map((it) => (Math.round(Math.fround(it) * 1e3) / 1e3 || 0).toFixed(3)).join(","))
    .sort()
    .join(" ")}`;

/** Returns the triangles of parts. A file numbers its lists without a gap, so that corners without texture coordinates can have zeros there. */
function ofParts({ parts }, isFilled = false) {
  const found = [];
  for (const part of parts) {
    const lists = [
      [part.positions, 3],
      [part.normals, 3],
      [part.coordinates, 2],
      [part.colors, 4],
    ];
    const corner = (index) =>
      lists.flatMap(([list, size]) => {
        if (list.length > 0) return [...list.subarray(index * size, (index + 1) * size)];
        return isFilled && size === 2 ? [0, 0] : [];
      });
    for (let at = 0; at < part.indices.length; at += 3)
      found.push(
        told(
          part.material,
          [0, 1, 2].map((step) => corner(part.indices[at + step])),
        ),
      );
  }
  return found.sort();
}

/** Returns the triangles as they are seen: with their image, if any, and the colors of corner and material together. */
function asSeen(parts, surfaceOf) {
  const found = [];
  for (const part of parts) {
    const { image, mode, isTwoSided, isClamped, color } = surfaceOf(part);
    const isPainted = image >= 0 && part.coordinates.length > 0;
    const corner = (at) => [
      ...part.positions.subarray(3 * at, 3 * at + 3),
      ...part.normals.subarray(3 * at, 3 * at + 3),
      ...(isPainted ? part.coordinates.subarray(2 * at, 2 * at + 2) : []),
      ...color.map((it, index) => it * (part.colors[4 * at + index] ?? 1)),
    ];
    const look = isPainted ? `${image} ${mode} ${isTwoSided} ${isClamped}` : `${mode} ${isTwoSided}`;
    for (let at = 0; at < part.indices.length; at += 3)
      found.push(
        told(
          look,
          [0, 1, 2].map((step) => corner(part.indices[at + step])),
        ),
      );
  }
  return found.sort();
}

function ofFile(gltf) {
  const found = [];
  // The numbers of a file are of 32 bits.
  gltf.scene.traverse(({ position, quaternion, scale }) => {
    for (const it of [position, quaternion, scale]) it.fromArray(it.toArray().map(Math.fround));
  });
  gltf.scene.updateMatrixWorld(true);
  gltf.scene.traverse((it) => {
    if (!it.isMesh) return;
    const material = gltf.parser.associations.get(it.material)?.materials ?? -1;
    const { attributes, index } = it.geometry;
    const normals = it.matrixWorld.clone().invert().transpose();
    const corner = (at) => {
      const values = new Vector3().fromBufferAttribute(attributes.position, at).applyMatrix4(it.matrixWorld).toArray();
      if (attributes.normal) {
        const normal = new Vector3().fromBufferAttribute(attributes.normal, at);
        const [x, y, z] = normal.toArray();
        const m = normals.elements;
        const turned = new Vector3(m[0] * x + m[4] * y + m[8] * z, m[1] * x + m[5] * y + m[9] * z, m[2] * x + m[6] * y + m[10] * z);
        values.push(...turned.normalize().toArray());
      }
      if (attributes.uv) values.push(attributes.uv.getX(at), attributes.uv.getY(at));
      if (attributes.color) values.push(...[0, 1, 2, 3].map((part) => attributes.color.getComponent(at, part)));
      return values;
    };
    for (let at = 0; at < index.count; at += 3)
      found.push(
        told(
          material,
          [0, 1, 2].map((step) => corner(index.getX(at + step))),
        ),
      );
  });
  return found.sort();
}

check(
  "models in parts have the triangles of the file",
  async () => {
    const { outputFiles } = await build({
      entryPoints: [join(root, "tools", "page", "page", "merge.ts")],
      bundle: true,
      write: false,
      format: "esm",
    });
    const { joined, merged } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
    mkdirSync(join(scratch, "merged"));
    let [count, calls, before] = [0, 0, 0];
    for (const path of ["mw/zbd/c1/gamez.zbd", "cs/ZBD/C1/gamez.zbd", "mw/zbd/mechlib.zbd", "rc/zbd/m1/gamez.zbd", "pm/zbd/c1/gamez.zbd"]) {
      const file = join(scratch, "merged", `${path.replaceAll("/", "_")}.glb`);
      try {
        run("export", join(install, path), file);
      } catch (why) {
        if (/No such file|not exist/i.test(String(why))) continue;
        throw why;
      }
      const bytes = new Uint8Array(readFileSync(file));
      const parts = merged(bytes);
      const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, "");
      const [ours, theirs] = [ofParts(parts), ofFile(gltf)];
      assert.ok(ours.length > 0, path);
      assert.equal(ours.length, parts.triangles, path);
      assert.deepEqual(ours, theirs, path);
      count += ours.length;
      // As well where the file does not begin at a multiple of four bytes.
      const moved = new Uint8Array(bytes.length + 1);
      moved.set(bytes, 1);
      assert.deepEqual(ofParts(merged(moved.subarray(1))), ours, path);
      // Parts that look the same are drawn as one.
      const drawn = joined(parts.parts, parts.surfaces);
      const white = { color: [1, 1, 1, 1], image: -1, mode: "OPAQUE", isTwoSided: true, isClamped: [false, false] };
      assert.deepEqual(
        asSeen(drawn, ({ surface }) => surface),
        asSeen(parts.parts, ({ material }) => parts.surfaces[material] ?? white),
        path,
      );
      [calls, before] = [calls + drawn.length, before + parts.parts.length];
    }
    console.log(`${count} triangles are the same, drawn by ${calls} calls instead of ${before}`);
    assert.ok(count > 200);
    assert.ok(calls < before / 2);
    // Images, and what is seen through, stay apart.
    const list = (...all) => Float32Array.from(all);
    const corners = { positions: list(0, 0, 0, 1, 0, 0, 0, 1, 0), normals: list(), indices: Uint32Array.of(0, 1, 2) };
    const coordinates = list(0, 0, 1, 0, 0, 1);
    const surface = { color: [0.5, 1, 1, 1], image: -1, mode: "OPAQUE", isTwoSided: true, isClamped: [false, false] };
    const surfaces = [surface, { ...surface, image: 0 }, { ...surface, image: 1 }, { ...surface, color: [1, 1, 1, 0.5], mode: "BLEND" }];
    const part = (material, colors = list()) => ({
      ...corners,
      coordinates: surfaces[material]?.image >= 0 ? coordinates : list(),
      material,
      colors,
    });
    const colors = list(...Array.from({ length: 12 }, (_, at) => at / 12));
    const all = [part(0), part(1), part(2, colors), part(3), part(0, colors), part(1), part(-1)];
    const found = joined(all, surfaces);
    assert.deepEqual(
      found.map((it) => [it.surface.image, it.surface.mode, it.indices.length, it.colors.length > 0]),
      [
        [-1, "OPAQUE", 9, true],
        [0, "OPAQUE", 6, false],
        [1, "OPAQUE", 3, true],
        [-1, "BLEND", 3, false],
      ],
    );
    assert.deepEqual(
      asSeen(found, (it) => it.surface),
      asSeen(all, ({ material }) => surfaces[material] ?? { ...surface, color: [1, 1, 1, 1] }),
    );
  },
  { skip: none },
);

check(
  "parts of worlds and libraries from the library are those of the exported file, with its textures",
  async () => {
    const folder = join(scratch, "parts");
    cpSync(join(install, "mw"), join(folder, "mw"), { recursive: true });
    // Textures that the world has are in a package beside it.
    const [world, textures] = ["gamez.zbd", "rtexture.zbd"].map((name) => join(folder, "mw", "zbd", "c1", name));
    const names = [...run("inspect", world, "/textures").matchAll(/name: (\S+)\.tif/g)].map(([, name]) => name);
    const images = run("ls", "--json", textures)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).entry);
    images.slice(0, 3).forEach((image, index) => run("patch", textures, "--rename", `${image}=${names[index + 1]}`));
    // Another one is in a package above it.
    const above = join(folder, "mw", "zbd", "rmechtex.zbd");
    const [other] = run("ls", "--json", above)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).entry);
    run("patch", above, "--rename", `${other}=${names[5]}`);
    const { it, wrong, context } = await open(started);
    await give(it, join(folder, "mw"), true);
    let painted = 0;
    for (const path of ["mw/zbd/c1/gamez.zbd", "mw/zbd/mechlib.zbd"]) {
      const found = await it.evaluate(
        async ({ path, textures }) => {
          const { engine, items } = globalThis.bitexact;
          const plain = ({ parts, surfaces, images, triangles }) => ({
            parts: parts.map((part) =>
              Object.fromEntries(Object.entries(part).map(([name, it]) => [name, typeof it === "number" ? it : [...it]])),
            ),
            surfaces,
            images: images.map((image) => [...image]),
            triangles,
          });
          const packages = [items.get(textures).source];
          const still = await engine.still(items.get(path), "", packages);
          const drawing = await engine.draw(items.get(path), "", "glb", 0, [""], packages);
          return { still: plain(still.parts), drawn: plain(drawing.parts), left: [still.about.left_out, drawing.about.left_out] };
        },
        { path, textures: "mw/zbd/c1/rtexture.zbd" },
      );
      for (const model of [found.still, found.drawn])
        for (const part of model.parts)
          for (const name of ["positions", "normals", "coordinates", "colors"]) part[name] = Float32Array.from(part[name]);
      assert.ok(found.still.triangles > 100, path);
      assert.deepEqual(ofParts(found.still, true), ofParts(found.drawn, true), path);
      const rounded = (surfaces) => surfaces.map((it) => ({ ...it, color: it.color.map(Math.fround) }));
      assert.deepEqual(rounded(found.still.surfaces), rounded(found.drawn.surfaces), path);
      assert.deepEqual(found.still.images, found.drawn.images, path);
      assert.deepEqual(found.left[0], found.left[1], path);
      painted += found.still.images.length;
    }
    assert.ok(painted > 0, "some textures are there");
    // The package above is read once the world is seen, and the world is drawn again with its texture, once.
    await it.evaluate(() => {
      const { engine } = globalThis.bitexact;
      const still = engine.still;
      globalThis.images = [];
      engine.still = async (...all) => {
        const found = await still.apply(engine, all);
        globalThis.images.push(found.parts.images.length);
        return found;
      };
      globalThis.bitexact.select({ path: "mw/zbd/c1/gamez.zbd", entry: "" });
    });
    await it.locator("canvas[data-ready]").waitFor({ timeout: 120_000 });
    // Whoever has gone away from it in the meantime stays there.
    await it.locator("canvas").focus();
    for (let times = 0; times < 8; times += 1) await it.keyboard.press("-");
    await it.waitForFunction(() => globalThis.images.length > 1, undefined, { timeout: 120_000 });
    await it.waitForTimeout(2000);
    const far = await covered(it);
    await it.getByRole("button", { name: "Whole view" }).click();
    await it.waitForTimeout(1000);
    const near = await covered(it);
    assert.ok(far > 0 && far < near / 3, `${far} of the view is covered, and ${near} by the whole`);
    const counts = await it.evaluate(() => globalThis.images);
    assert.equal(counts.length, 2, `${counts}`);
    assert.ok(counts[1] > counts[0], `${counts}`);
    await it.locator("canvas[data-ready]").waitFor({ timeout: 120_000 });
    await it.screenshot({ path: join(shots, "textured.png") });
    assert.deepEqual(wrong, []);
    await context.close();
  },
  { skip: none },
);
