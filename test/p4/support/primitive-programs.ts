import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { compileSource } from '../../../common/io/p4-compiler';
import { ROOT } from '../../support/paths';
import { PRIMITIVE_CALLS } from './primitive-calls';
import type { Operand, PrimitiveCall } from './primitive-calls';
import { withoutPlaces } from './test-programs';

/**
 * p4c's output for the programs below by their names, and the digests of their sources. It is packed, since
 * copies of whole structs, field by field, are most of it.
 */
const FOLDER = path.join(ROOT, 'test', 'p4', 'primitives');
const PACKED = path.join(FOLDER, 'programs.json.gz');
const DIGESTS = path.join(FOLDER, 'sources.sha256.json');

/** Forms of the operand of each kind: written in a packet, typed, prepared, and shown afterwards. */
interface Place {
  readonly type: string;
  readonly own: string;
  readonly before: string;
  readonly after: (x: string) => string;
}

const PLACES: Readonly<Record<Operand, Place>> = {
  value: { type: 'bit<16>', own: 'hdr.v.r', before: 'hdr.v.r = hdr.v.a;', after: () => '' },
  'standard metadata': {
    type: 'standard_metadata_t',
    own: 'std',
    before: '',
    after: () => '',
  },
  header: { type: 'item_t', own: 'hdr.e', before: '', after: () => '' },
  stack: { type: 'item_t[3]', own: 'hdr.s', before: '', after: () => '' },
};

/** Parameters that every sub-control and every action can reach. */
const ALL = 'inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std';
const GIVEN = 'hdr, meta, std';

/** A way to call a primitive: what it declares, and the statements that come to the call. */
export interface Way {
  readonly name: string;
  readonly actions?: string;
  readonly statements: string;
}

/** The ways in which a primitive is called; all have the effect of the first one. */
export function waysOf({ operand, call, inTable, oneDestination = false }: PrimitiveCall): Way[] {
  const { type, own } = PLACES[operand];
  const on = (x: string): string => call.replaceAll(/\bX\b/g, x);
  const copied = (x: string): string => `${type} own = ${x}; ${on('own')} ${x} = own;`;
  if (inTable !== undefined) {
    const calls = [on(own), copied(own), `meta.x = ${own}; ${on('meta.x')} ${own} = meta.x;`];
    return ownTable(oneDestination ? calls.slice(0, 1) : calls, inTable);
  }
  return [
    { name: 'directly', statements: on(own) },
    { name: 'on a local copy', statements: `{ ${copied(own)} }` },
    {
      name: 'on an inout parameter',
      actions: `action on_inout(inout ${type} p) { ${on('p')} }`,
      statements: `on_inout(${own});`,
    },
    {
      name: 'on an inout parameter that is a local copy',
      statements: `{ ${type} own = ${own}; on_inout(own); ${own} = own; }`,
    },
    {
      name: 'on a copy of an in parameter',
      actions: `action on_in(in ${type} p) { ${type} own = p; ${on('own')} ${own} = own; }`,
      statements: `on_in(${own});`,
    },
    {
      name: 'on an out parameter',
      actions: `action on_out(in ${type} p, out ${type} q) { q = p; ${on('q')} }`,
      statements: `on_out(${own}, ${own});`,
    },
    {
      name: 'in a nested action',
      actions: `action on_nested(inout ${type} p) { on_inout(p); }`,
      statements: `on_nested(${own});`,
    },
    {
      name: 'in a nested action on a copy',
      actions: `action on_nested_copy(inout ${type} p) { ${type} own = p; on_inout(own); p = own; }`,
      statements: `on_nested_copy(${own});`,
    },
    table('in an action of a table', `action t_direct() { ${on(own)} }`),
    table('in a table, by a nested action', `action t_nested() { on_nested(${own}); }`),
    ...controls(operand),
    ...(operand === 'value' ? ofStructs(on) : []),
  ];
}

function controls(operand: Operand): Way[] {
  const { own, type } = PLACES[operand];
  // The metadata is one of the arguments that every control has, and may not be given twice.
  if (operand === 'standard metadata') {
    return [
      { name: 'in a nested control', statements: `sub.apply(${GIVEN});` },
      { name: 'in a control of a nested control', statements: `outer.apply(${GIVEN});` },
      {
        name: 'in a nested control on a copy',
        statements: `{ ${type} own = std; sub.apply(hdr, meta, own); std = own; }`,
      },
    ];
  }
  const through = (control: string): string =>
    `{ ${type} own = ${own}; ${control}.apply(own, ${GIVEN}); ${own} = own; }`;
  return [
    { name: 'in a nested control', statements: through('sub') },
    { name: 'in a control of a nested control', statements: through('outer') },
  ];
}

/** Where the operand is a field, also of copies and parameters that are headers or structs. */
function ofStructs(on: (x: string) => string): Way[] {
  return [
    {
      name: 'on a field of a copied header',
      statements: `{ values_t own = hdr.v; ${on('own.r')} hdr.v = own; }`,
    },
    {
      name: 'on a field of an inout header',
      actions: `action on_header(inout values_t h) { ${on('h.r')} }`,
      statements: 'on_header(hdr.v);',
    },
    {
      name: 'on a field of an inout struct',
      actions: `action on_struct(inout pair_t p) { ${on('p.x')} }`,
      // p4c makes programs that bmv2 does not load of parameters with the type of the user's metadata.
      statements: '{ pair_t own = { hdr.v.r, 0 }; on_struct(own); hdr.v.r = own.x; }',
    },
  ];
}

/** A way by an action of a table of its own, which every packet hits. */
function table(name: string, action: string): Way {
  const called = /action (\w+)/.exec(action)?.[1] ?? '';
  const tableName = `${called}_table`;
  const rows = `key = { hdr.v.a: ternary; } actions = { ${called}; }`;
  const text = `${action}\ntable ${tableName} { ${rows} const default_action = ${called}(); }`;
  return { name, actions: text, statements: `${tableName}.apply();` };
}

/** The actions of one table, for what belongs to one: each way is an entry of it. */
function ownTable(calls: readonly string[], extra: string): Way[] {
  const actions = calls.map((call, i) => `action t_${i}() { ${call} }`).join('\n');
  const names = calls.map((_, i) => `t_${i};`).join(' ');
  const entries = calls.map((_, i) => `${i}: t_${i}();`).join(' ');
  const rows = `key = { hdr.v.op: exact; } actions = { ${names} } ${extra}`;
  const table = `table calls { ${rows} const entries = { ${entries} } }`;
  return ['directly', 'on a copy', 'on metadata'].slice(0, calls.length).map((name, i) => ({
    name,
    ...(i === 0 && { actions: `${actions}\n${table}` }),
    statements: 'calls.apply();',
  }));
}

/** The program that calls a primitive in way i for packets whose first byte is i. */
export function primitiveProgram(primitive: PrimitiveCall): string {
  const { operand, declared = '', block = 'ingress', inTable = '', unless } = primitive;
  const ways = waysOf(primitive);
  const { before } = PLACES[operand];
  const dispatch = ways
    .map(({ statements }, i) => `if (hdr.v.op == ${i}) { ${before} ${statements} }`)
    .join('\n        else ');
  const body =
    unless === undefined
      ? dispatch
      : `if (${unless.condition}) { ${unless.then} }\n        else ${dispatch}`;
  const actions = ways.flatMap((way) => way.actions ?? []).join('\n');
  const subs = inTable === '' ? subControls(primitive) : '';
  const instances = inTable === '' ? 'Sub() sub; Outer() outer;' : '';
  const calling = `control Calling(${ALL}) {
    ${[declared, instances, actions].join('\n').trim().replaceAll('\n', '\n    ')}
    apply {
        ${body}
    }
}`;
  const [ingress, egress] =
    block === 'ingress' ? ['c.apply(hdr, meta, std);', ''] : ['', 'c.apply(hdr, meta, std);'];
  return `${HEAD}${subs}${calling}
control TestIngress(${ALL}) {
    ${block === 'ingress' ? 'Calling() c;' : ''}
    apply { std.egress_spec = 1; ${ingress} }
}
control TestEgress(${ALL}) {
    ${block === 'egress' ? 'Calling() c;' : ''}
    apply { ${egress} }
}
${TAIL}`;
}

function subControls({ operand, declared = '', call }: PrimitiveCall): string {
  const { type } = PLACES[operand];
  const own = operand === 'standard metadata' ? '' : `inout ${type} x, `;
  const given = operand === 'standard metadata' ? GIVEN : `x, ${GIVEN}`;
  const on = call.replaceAll(/\bX\b/g, operand === 'standard metadata' ? 'std' : 'x');
  return `control Sub(${own}${ALL}) {
    ${declared}
    apply { ${on} }
}
control Outer(${own}${ALL}) {
    Sub() inner;
    apply { inner.apply(${given}); }
}
`;
}

const HEAD = `// Made by test/p4/support/primitive-programs.ts.
#include <core.p4>
#include <v1model.p4>
header values_t { bit<8> op; bit<16> a; bit<16> b; bit<16> r; }
header item_t { bit<8> value; }
struct headers_t { values_t v; item_t e; item_t[3] s; }
struct meta_t { bit<16> x; @field_list(1) bit<16> kept; }
struct pair_t { bit<16> x; bit<16> y; }
struct learnt_t { bit<16> x; bit<16> b; }
parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.v);
        transition select(hdr.v.b) { 0: accept; default: more; }
    }
    state more {
        packet.extract(hdr.e);
        packet.extract(hdr.s.next);
        packet.extract(hdr.s.next);
        transition accept;
    }
}
control TestVerify(inout headers_t hdr, inout meta_t meta) { apply { } }
control TestUpdate(inout headers_t hdr, inout meta_t meta) { apply { } }
control TestDeparser(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
`;
const TAIL = `V1Switch(TestParser(), TestVerify(), TestIngress(), TestEgress(), TestUpdate(), TestDeparser()) main;
`;

let unpacked: Readonly<Record<string, string>> | undefined;

/** The committed program that calls a primitive, as p4c's JSON. */
export function primitiveJson({ name }: PrimitiveCall): string {
  unpacked ??= JSON.parse(gunzipSync(fs.readFileSync(PACKED)).toString()) as Record<string, string>;
  const json = unpacked[name];
  if (json === undefined) throw new Error(`${PACKED} has no program '${name}'`);
  return json;
}

export const digestOf = (primitive: PrimitiveCall): string =>
  crypto.createHash('sha256').update(primitiveProgram(primitive)).digest('hex');

/** By the names of the programs, what their committed artefacts were made from. */
export const committedDigests = (): Readonly<Record<string, string>> =>
  JSON.parse(fs.readFileSync(DIGESTS, 'utf8')) as Readonly<Record<string, string>>;

/** p4c's JSON for a program. @throws InputError with its messages when it refuses the program. */
export async function compilePrimitive(primitive: PrimitiveCall): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-primitive-'));
  try {
    const program = `${primitive.name}.p4`;
    fs.writeFileSync(path.join(folder, program), primitiveProgram(primitive));
    const { json } = await compileSource({ folder, program, flags: [], p4info: 'txtpb' });
    return withoutPlaces(json);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Compiles all programs and writes what belongs into the repository. */
export async function buildPrimitivePrograms(): Promise<void> {
  const compiled: [PrimitiveCall, string][] = [];
  for (const each of PRIMITIVE_CALLS) compiled.push([each, await compilePrimitive(each)]);
  fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER);
  const byName = Object.fromEntries(compiled.map(([{ name }, json]) => [name, json]));
  fs.writeFileSync(PACKED, gzipSync(JSON.stringify(byName), { level: 9 }));
  const digests = Object.fromEntries(PRIMITIVE_CALLS.map((each) => [each.name, digestOf(each)]));
  fs.writeFileSync(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
}
