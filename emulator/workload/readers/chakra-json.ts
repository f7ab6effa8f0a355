import { InputError } from '../../../common/errors';
import { rankFiles } from './chakra';
import { groupsIn, isGroupFile } from './chakra-groups';
import { NODE_NAMES, chakraTrace } from './chakra-nodes';
import type { AttributeValue, ChakraNode } from './chakra-nodes';
import { headOf, refuseBytes, textOf } from './reader';
import type { TraceFile, TraceReader } from './reader';

/**
 * Chakra execution traces in JSON: what its jsonizer prints, object behind object, or an object with `workload_graph`,
 * as its feeder reads; keys in any spelling.
 */
export const CHAKRA_JSON: TraceReader = {
  format: 'Chakra in JSON',
  recognises: (files) => {
    const [first] = files.filter((file) => !isGroupFile(file));
    if (first === undefined) return false;
    const head = headOf(first);
    return (
      /^\s*\{\s*"workload_graph"\s*:/.test(head) ||
      /^\s*\{\s*"version"\s*:\s*"[\d.]+"[^{}]*\}\s*\{\s*"id"/i.test(head) ||
      /^\s*\[?\s*\{\s*"id"\s*:[^{}[\]]*"(?:type|NodeType)"\s*:\s*(?:\d|"[A-Z_]+_NODE")/i.test(head)
    );
  },
  read: (files, options) => {
    const traces = files.filter((file) => !isGroupFile(file));
    refuseBytes(options, traces[0] as TraceFile);
    return chakraTrace(rankFiles(traces, nodesOf), groupsIn(files));
  },
};

type JsonNode = Readonly<Record<string, unknown>>;

function nodesOf(file: TraceFile): ChakraNode[] {
  const values = valuesIn(file).flatMap((value): JsonNode[] => {
    if (Array.isArray(value)) return value as JsonNode[];
    const graph = (value as JsonNode)['workload_graph'];
    return Array.isArray(graph) ? (graph as JsonNode[]) : [value as JsonNode];
  });
  const nodes = values.map(withPlainKeys).filter((node) => node.has('id'));
  return nodes.map((node, i) => nodeOf(node, `${file.name}: node ${i + 1}`));
}

/** JSON values one behind the other. */
function valuesIn(file: TraceFile): unknown[] {
  const text = textOf(file);
  try {
    return [JSON.parse(text)];
  } catch {
    // Several objects are no JSON together.
  }
  return pieces(text).map(({ piece, at }) => {
    try {
      return JSON.parse(piece) as unknown;
    } catch (error) {
      const line = text.slice(0, text.indexOf(piece.trimStart(), at)).split('\n').length;
      throw new InputError(`${file.name}:${line}: ${(error as Error).message}`);
    }
  });
}

/** Text cut behind each closing brace that ends an object. */
function pieces(text: string): { piece: string; at: number }[] {
  const found: { piece: string; at: number }[] = [];
  let [depth, from] = [0, 0];
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (match[0] === '{') depth++;
    if (match[0] !== '}') continue;
    depth--;
    if (depth > 0) continue;
    const end = match.index + 1;
    found.push({ piece: text.slice(from, end), at: from });
    from = end;
  }
  const rest = text.slice(from);
  return rest.trim() === '' ? found : [...found, { piece: rest, at: from }];
}

/** Keys without underscores, in small letters: `ctrlDeps` and `ctrl_deps` are the same. */
const withPlainKeys = (node: JsonNode): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(node).map(([key, value]) => [plain(key), value]));

const plain = (key: string): string => key.replace(/_/g, '').toLowerCase();

/** Attributes by the names that the schema has for them. */
const ATTRIBUTE_NAMES = [
  'is_cpu_op',
  'comm_type',
  'comm_size',
  'comm_src',
  'comm_dst',
  'comm_tag',
  'pg_name',
  'involved_dim',
  'num_ops',
  'root_rank',
] as const;

function nodeOf(node: ReadonlyMap<string, unknown>, where: string): ChakraNode {
  const number = (...keys: readonly string[]): number => {
    const value = keys.map((key) => node.get(key)).find((each) => each !== undefined) ?? 0;
    const found = Number(value);
    if (Number.isFinite(found) && found >= 0) return found;
    throw new InputError(`${where}: wanted a number as ${keys[0]}, found ${JSON.stringify(value)}`);
  };
  const list = (key: string): number[] => {
    const value = node.get(key) ?? [];
    const all = Array.isArray(value) ? value : [value as JsonNode];
    return all.map((each) => {
      if (Number.isSafeInteger(Number(each))) return Number(each);
      throw new InputError(`${where}: wanted numbers as ${key}, found ${JSON.stringify(each)}`);
    });
  };
  const type = node.get('type') ?? node.get('nodetype') ?? 0;
  const known = typeof type === 'string' && !/^\d+$/.test(type) ? NODE_NAMES[type] : Number(type);
  if (known === undefined)
    throw new InputError(`${where}: there is no type ${JSON.stringify(type)}`);
  const inputs = node.get('inputs') as JsonNode | undefined;
  return {
    id: number('id'),
    name: textOr(node.get('name')),
    type: known,
    dataDependencies: list('datadeps'),
    controlDependencies: list('ctrldeps'),
    durationUs: number('durationmicros', 'runtime'),
    inputs: textOr(inputs?.['values']),
    attributes: attributesOf(node),
  };
}

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Attributes of the list that the schema has, and those that stand at the node itself. */
function attributesOf(node: ReadonlyMap<string, unknown>): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const name of ATTRIBUTE_NAMES) {
    const value = node.get(plain(name));
    if (value !== undefined) attributes.set(name, attributeValue(value));
  }
  const listed = node.get('attr') ?? node.get('attrs');
  for (const each of Array.isArray(listed) ? (listed as JsonNode[]) : []) {
    const { name, doc_string: _doc, docString: _text, ...rest } = each;
    const [value] = Object.values(rest);
    if (value !== undefined) attributes.set(String(name), attributeValue(value));
  }
  return attributes;
}

function attributeValue(value: unknown): AttributeValue {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  // Numbers of 64 bits are strings in JSON.
  if (typeof value === 'string') return /^\d+$/.test(value) ? Number(value) : value;
  const { values } = value as { values?: unknown };
  return Array.isArray(values) ? values.map((each) => each === true) : '';
}
