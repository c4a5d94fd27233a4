// What the JSON Schema of a kind says about a value.

export interface Said {
  /** Names of numbers. */
  names?: string[];
  /** Names of bits. */
  bits?: string[];
  /** `true` if the value is a float. */
  isFloat?: boolean;
  minimum?: number;
  maximum?: number;
}

type Node = any;

/** Returns the alternatives of a node, with references followed. */
function alternatives(root: Node, node: Node, depth = 0): Node[] {
  if (!node || depth > 12) return [];
  if (node.$ref) {
    const name = String(node.$ref).split("/").pop()!;
    return alternatives(root, root.definitions?.[name], depth + 1);
  }
  const inner = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  return [node, ...inner.flatMap((it: Node) => alternatives(root, it, depth + 1))];
}

/** Returns what a schema says about the value that keys lead to. */
export function saidOf(schema: Node, keys: string[]): Said {
  if (!schema) return {};
  let nodes = alternatives(schema, schema);
  for (const key of keys) {
    const next: Node[] = [];
    for (const node of nodes) {
      const inner = node.properties?.[key];
      if (inner) next.push(...alternatives(schema, inner));
      if (/^\d+$/.test(key) && node.items) {
        const items = Array.isArray(node.items) ? [node.items[Number(key)] ?? node.additionalItems] : [node.items];
        for (const it of items) next.push(...alternatives(schema, it));
      }
    }
    nodes = next;
  }
  const said: Said = {};
  for (const node of nodes) {
    if (Array.isArray(node.enum) && node.enum.every((it: unknown) => typeof it === "string")) said.names = node.enum;
    const bits = typeof node.description === "string" && /^Any of (.*), with \| between them\.$/.exec(node.description);
    if (bits) said.bits = bits[1]!.split(", ");
    if (node.type === "number") said.isFloat = true;
    if (typeof node.minimum === "number") said.minimum = node.minimum;
    if (typeof node.maximum === "number") said.maximum = node.maximum;
  }
  return said;
}
