// A model of a file that does not move, as few large parts, as the library makes them of worlds: each of many small primitives would be drawn
// by a call of its own. The triangles of a material become one part, in the coordinates of the whole. A worker does it.
//
// The files are our own exports: one buffer, positions and other values as floats, indices as 32-bit numbers.

/** The triangles of one material. */
export interface Part {
  material: number;
  positions: Float32Array;
  /** Empty if the corners have none: then each triangle is flat. */
  normals: Float32Array;
  coordinates: Float32Array;
  colors: Float32Array;
  indices: Uint32Array;
}

export interface Surface {
  /** Red, green, blue in linear light, and the opacity. */
  color: [number, number, number, number];
  /** The number of its image, or -1. */
  image: number;
  mode: "OPAQUE" | "MASK" | "BLEND";
  isTwoSided: boolean;
  /** Whether the image ends at its edge, in both directions. */
  isClamped: [boolean, boolean];
}

export interface Merged {
  parts: Part[];
  surfaces: Surface[];
  /** The images as PNG. */
  images: Uint8Array[];
  triangles: number;
}

type Matrix = Float64Array;

/** The vertices that parts have at most: nodes can share a mesh, so a small file can have any number. */
const MOST = 6_000_000;

/** Returns a model in parts, or nothing if it moves or would be too large. */
export function merged(file: Uint8Array): Merged | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 20 || view.getUint32(0, true) !== 0x46546c67) return undefined;
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(file.subarray(20, 20 + length)));
  if (json.animations?.length > 0 || json.skins?.length > 0) return undefined;
  const start = file.byteOffset + 20 + length + 8;
  const reader = new Reader(json, file.buffer as ArrayBuffer, start, file.byteOffset);
  const builders = new Map<string, Builder>();
  const corners: number[] = (json.meshes ?? []).map((mesh: any) =>
    mesh.primitives.reduce((sum: number, it: any) => sum + json.accessors[it.indices].count, 0),
  );
  const total = (json.nodes ?? []).reduce((sum: number, node: any) => sum + (corners[node.mesh] ?? 0), 0);
  if (total > MOST) return undefined;
  const visit = (index: number, outer: Matrix) => {
    const node = json.nodes[index];
    const matrix = times(outer, matrixOf(node));
    if (node.mesh !== undefined) {
      for (const primitive of json.meshes[node.mesh].primitives) {
        const { attributes } = primitive;
        const has = [attributes.NORMAL, attributes.TEXCOORD_0, attributes.COLOR_0].map((it) => it !== undefined);
        const material: number = primitive.material ?? -1;
        const key = `${material} ${has}`;
        let builder = builders.get(key);
        if (!builder) builders.set(key, (builder = new Builder(material)));
        builder.add(reader, primitive, matrix);
      }
    }
    for (const child of node.children ?? []) visit(child, matrix);
  };
  for (const root of json.scenes?.[json.scene ?? 0]?.nodes ?? []) visit(root, IDENTITY);
  const parts = [...builders.values()].map((builder) => builder.finish());
  const surfaces: Surface[] = (json.materials ?? []).map((material: any) => {
    const { baseColorFactor, baseColorTexture } = material.pbrMetallicRoughness;
    const texture = baseColorTexture ? json.textures[baseColorTexture.index] : undefined;
    const sampler = texture ? json.samplers[texture.sampler] : {};
    return {
      color: baseColorFactor ?? [1, 1, 1, 1],
      image: texture ? texture.source : -1,
      mode: material.alphaMode ?? "OPAQUE",
      isTwoSided: material.doubleSided === true,
      isClamped: [sampler.wrapS === CLAMPED, sampler.wrapT === CLAMPED],
    };
  });
  const images = (json.images ?? []).map((image: any) => reader.bytes(image.bufferView).slice());
  return { parts, surfaces, images, triangles: parts.reduce((sum, part) => sum + part.indices.length / 3, 0) };
}

const CLAMPED = 33071;
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** Reads the numbers of a file. */
class Reader {
  private known = new Map<number, Float32Array | Uint32Array>();
  private isAligned: boolean;

  constructor(
    private json: any,
    private buffer: ArrayBuffer,
    private start: number,
    offset: number,
  ) {
    this.isAligned = offset % 4 === 0;
  }

  bytes(view: number): Uint8Array {
    const { byteOffset = 0, byteLength } = this.json.bufferViews[view];
    return new Uint8Array(this.buffer, this.start + byteOffset, byteLength);
  }

  /** Returns the numbers of an accessor. */
  numbers(index: number): Float32Array | Uint32Array {
    const known = this.known.get(index);
    if (known) return known;
    const { bufferView, byteOffset = 0, componentType, count, type } = this.json.accessors[index];
    const size: number = count * { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type as "SCALAR"];
    const at = this.start + (this.json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    const [buffer, begin] = this.isAligned ? [this.buffer, at] : [this.buffer.slice(at, at + 4 * size), 0];
    const found = componentType === 5126 ? new Float32Array(buffer, begin, size) : new Uint32Array(buffer, begin, size);
    this.known.set(index, found);
    return found;
  }
}

/** A list of floats that grows. */
class Floats {
  private list = new Float32Array(1024);
  length = 0;

  /** Returns the list with room for more, which begin at the length before. */
  room(more: number): Float32Array {
    if (this.length + more > this.list.length) {
      const larger = new Float32Array(Math.max(this.length + more, 2 * this.list.length));
      larger.set(this.list.subarray(0, this.length));
      this.list = larger;
    }
    this.length += more;
    return this.list;
  }

  finish(): Float32Array {
    return this.list.slice(0, this.length);
  }
}

class Builder {
  private positions = new Floats();
  private normals = new Floats();
  private coordinates = new Floats();
  private colors = new Floats();
  private indices = new Uint32Array(1024);
  private count = 0;

  constructor(private material: number) {}

  /** Adds the triangles of a primitive. Its vertices are in one piece of lists that the primitives of its mesh share. */
  add(reader: Reader, primitive: any, m: Matrix): void {
    const { attributes } = primitive;
    const indices = reader.numbers(primitive.indices) as Uint32Array;
    if (indices.length === 0) return;
    let [first, last] = [0xffffffff, 0];
    for (const index of indices) {
      if (index < first) first = index;
      if (index > last) last = index;
    }
    const base = this.positions.length / 3;
    const vertices = last - first + 1;
    const from = reader.numbers(attributes.POSITION);
    let at = this.positions.length;
    let to = this.positions.room(vertices * 3);
    for (let vertex = first; vertex <= last; vertex += 1, at += 3) {
      const [x, y, z] = [from[vertex * 3]!, from[vertex * 3 + 1]!, from[vertex * 3 + 2]!];
      to[at] = m[0]! * x + m[4]! * y + m[8]! * z + m[12]!;
      to[at + 1] = m[1]! * x + m[5]! * y + m[9]! * z + m[13]!;
      to[at + 2] = m[2]! * x + m[6]! * y + m[10]! * z + m[14]!;
    }
    if (attributes.NORMAL !== undefined) {
      const from = reader.numbers(attributes.NORMAL);
      const n = forNormals(m);
      at = this.normals.length;
      to = this.normals.room(vertices * 3);
      for (let vertex = first; vertex <= last; vertex += 1, at += 3) {
        const [x, y, z] = [from[vertex * 3]!, from[vertex * 3 + 1]!, from[vertex * 3 + 2]!];
        const [nx, ny, nz] = [n[0]! * x + n[3]! * y + n[6]! * z, n[1]! * x + n[4]! * y + n[7]! * z, n[2]! * x + n[5]! * y + n[8]! * z];
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
        to[at] = nx / length;
        to[at + 1] = ny / length;
        to[at + 2] = nz / length;
      }
    }
    const copies: [number | undefined, Floats, number][] = [
      [attributes.TEXCOORD_0, this.coordinates, 2],
      [attributes.COLOR_0, this.colors, 4],
    ];
    for (const [accessor, list, size] of copies) {
      if (accessor === undefined) continue;
      const begin = list.length;
      const from = reader.numbers(accessor).subarray(first * size, (last + 1) * size);
      list.room(vertices * size).set(from, begin);
    }
    if (this.count + indices.length > this.indices.length) {
      const larger = new Uint32Array(Math.max(this.count + indices.length, 2 * this.indices.length));
      larger.set(this.indices.subarray(0, this.count));
      this.indices = larger;
    }
    for (const index of indices) this.indices[this.count++] = index - first + base;
  }

  finish(): Part {
    return {
      material: this.material,
      positions: this.positions.finish(),
      normals: this.normals.finish(),
      coordinates: this.coordinates.finish(),
      colors: this.colors.finish(),
      indices: this.indices.slice(0, this.count),
    };
  }
}

/** Returns the matrix of a node, by columns. */
function matrixOf({ translation: t = [0, 0, 0], rotation: r = [0, 0, 0, 1], scale: s = [1, 1, 1] }: any): Matrix {
  // The numbers are of 32 bits, and their decimals are those that lead back to them.
  [t, r, s] = [t, r, s].map((list: number[]) => list.map(Math.fround));
  const [x, y, z, w] = r;
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const m = new Float64Array(16);
  for (let column = 0; column < 3; column += 1) for (let row = 0; row < 3; row += 1) m[column * 4 + row] = rows[row]![column]! * s[column];
  [m[12], m[13], m[14], m[15]] = [t[0], t[1], t[2], 1];
  return m;
}

function times(one: Matrix, other: Matrix): Matrix {
  const m = new Float64Array(16);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let index = 0; index < 4; index += 1) sum += one[index * 4 + row]! * other[column * 4 + index]!;
      m[column * 4 + row] = sum;
    }
  }
  return m;
}

/** Returns what turns normals as a matrix turns positions: its cofactors, by columns. */
function forNormals(m: Matrix): Float64Array {
  const [a, b, c, d, e, f, g, h, i] = [m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!, m[8]!, m[9]!, m[10]!];
  const n = Float64Array.of(
    e * i - f * h,
    f * g - d * i,
    d * h - e * g,
    c * h - b * i,
    a * i - c * g,
    b * g - a * h,
    b * f - c * e,
    c * d - a * f,
    a * e - b * d,
  );
  // Of a mirrored part, they would point inward.
  const sign = a * n[0]! + b * n[1]! + c * n[2]! < 0 ? -1 : 1;
  return n.map((it) => it * sign);
}

/** Parts that look the same, as one: each is drawn by a call of its own, and the materials of a world differ mostly in color. */
export interface Joined extends Omit<Part, "material"> {
  surface: Surface;
}

const PLAIN: Surface = { color: [1, 1, 1, 1], image: -1, mode: "OPAQUE", isTwoSided: true, isClamped: [false, false] };

/** Joins the parts that have the same image, if any: their colors become those of the corners, unless all have the same. */
export function joined(parts: Part[], surfaces: Surface[]): Joined[] {
  const groups = new Map<string, { surface: Surface; parts: { part: Part; color: Surface["color"] }[] }>();
  for (const part of parts) {
    const surface = surfaces[part.material] ?? PLAIN;
    const image = part.coordinates.length > 0 ? surface.image : -1;
    const { mode, isTwoSided, isClamped, color } = surface;
    const key = `${image} ${mode} ${isTwoSided} ${image < 0 ? "" : isClamped} ${part.normals.length > 0}`;
    const group = groups.get(key) ?? { surface: { ...surface, image }, parts: [] };
    groups.set(key, group);
    group.parts.push({ part, color });
  }
  return [...groups.values()].map(({ surface, parts }) => {
    const total = (of: (part: Part) => number) => parts.reduce((sum, { part }) => sum + of(part), 0);
    const isOne = parts.every(({ part, color }) => part.colors.length === 0 && `${color}` === `${surface.color}`);
    const vertices = total((part) => part.positions.length / 3);
    const joined: Joined = {
      surface: isOne ? surface : { ...surface, color: [1, 1, 1, 1] },
      positions: new Float32Array(3 * vertices),
      normals: new Float32Array(total((part) => part.normals.length)),
      coordinates: new Float32Array(surface.image < 0 ? 0 : 2 * vertices),
      colors: new Float32Array(isOne ? 0 : 4 * vertices),
      indices: new Uint32Array(total((part) => part.indices.length)),
    };
    let [first, index] = [0, 0];
    for (const { part, color } of parts) {
      joined.positions.set(part.positions, 3 * first);
      if (part.normals.length > 0) joined.normals.set(part.normals, 3 * first);
      if (surface.image >= 0) joined.coordinates.set(part.coordinates, 2 * first);
      const count = part.positions.length / 3;
      if (!isOne) {
        const { colors } = joined;
        for (let at = 0; at < 4 * count; at += 1) colors[4 * first + at] = (part.colors[at] ?? 1) * color[at % 4]!;
      }
      for (let at = 0; at < part.indices.length; at += 1) joined.indices[index + at] = part.indices[at]! + first;
      first += count;
      index += part.indices.length;
    }
    return joined;
  });
}

/** Returns what is handed over with a model in parts. */
export function handedOver({ parts, images }: Merged): ArrayBuffer[] {
  const lists = parts.flatMap((part) => [part.positions, part.normals, part.coordinates, part.colors, part.indices]);
  return [...lists, ...images].map((it) => it.buffer as ArrayBuffer);
}
