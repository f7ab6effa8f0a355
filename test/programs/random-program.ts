import { Random } from '../../common/random/random';
import { anyWidth, condition, constant, expression, pick } from './random-expression';
import type { Place } from './random-expression';
import { line, textOf, withoutOne } from './statement';
import type { Statement } from './statement';

/** The parts of a random program that can become smaller. */
export interface RandomProgram {
  readonly headers: readonly Header[];
  readonly metadata: readonly Place[];
  readonly tables: readonly string[];
  readonly ingress: readonly Statement[];
  readonly egress: readonly Statement[];
}

interface Header {
  readonly name: string;
  readonly fields: readonly Place[];
}

const DEPTH = 3;
const KINDS = ['exact', 'ternary', 'lpm', 'range'] as const;

/**
 * A v1model program without what bmv2 leaves open: fields of headers that are not valid, random
 * numbers, time, and indices outside of arrays.
 */
export function randomProgram(seed: number): RandomProgram {
  const random = new Random(seed);
  const headers = ['first', 'second', 'third'].map((name) => header(random, name));
  const metadata = Array.from({ length: 5 }, (_, i) => {
    return { text: `meta.m${i}`, width: anyWidth(random) };
  });
  const [first] = headers;
  const places = [...metadata, ...(first?.fields ?? [])];
  const names = ['t0', 't1'];
  const tables = names.map((name) => table(random, name, places));
  const applied = names.map((name) => line(`${name}.apply();`));
  const statements = (count: number): Statement[] =>
    Array.from({ length: count }, () => statement(random, headers, { places, depth: 2 }));
  return {
    headers,
    metadata,
    tables,
    ingress: [...statements(3), ...applied.slice(0, 1), ...statements(2), ...applied.slice(1)],
    egress: statements(3),
  };
}

function header(random: Random, name: string): Header {
  const widths = Array.from({ length: 2 + random.below(3) }, () => anyWidth(random));
  const bits = widths.reduce((sum, width) => sum + width, 0);
  if (bits % 8 > 0) widths.push(8 - (bits % 8));
  return {
    name,
    fields: [8, ...widths].map((width, i) => ({ text: `hdr.${name}.f${i}`, width })),
  };
}

interface Context {
  readonly places: readonly Place[];
  readonly depth: number;
}

function statement(random: Random, headers: readonly Header[], context: Context): Statement {
  const { places, depth } = context;
  const inner = (): Statement[] =>
    Array.from({ length: 1 + random.below(2) }, () =>
      statement(random, headers, { places, depth: depth - 1 }),
    );
  const kind = depth === 0 ? 0 : random.below(6);
  if (kind === 1) {
    const head = `if (${condition(random, places, 1)}) {`;
    return { head, inside: inner(), tail: '}' };
  }
  if (kind === 2) {
    const { name, fields } = pick(random, headers.slice(1));
    const inside = Array.from({ length: 2 }, () => assignment(random, [...places, ...fields]));
    return { head: `if (hdr.${name}.isValid()) {`, inside, tail: '}' };
  }
  if (kind === 3) return replacement(random, pick(random, headers.slice(1)), places);
  if (kind === 4) return registerUse(random, places);
  return assignment(random, places);
}

/** @param sources what is read; the places unless given. */
function assignment(
  random: Random,
  places: readonly Place[],
  sources: readonly Place[] = places,
): Statement {
  const { text, width } = pick(random, places);
  if (width > 2 && random.below(4) === 0) {
    const low = random.below(width);
    const high = low + random.below(width - low);
    const value = expression(random, sources, { width: high - low + 1, depth: DEPTH });
    return line(`${text}[${high}:${low}] = ${value};`);
  }
  return line(`${text} = ${expression(random, sources, { width, depth: DEPTH })};`);
}

/** A header that goes, or comes with all its fields. */
function replacement(
  random: Random,
  { name, fields }: Header,
  places: readonly Place[],
): Statement {
  if (random.below(2) === 0) return line(`hdr.${name}.setInvalid();`);
  const values = fields.map(({ text, width }) => {
    return `${text} = ${expression(random, places, { width, depth: 1 })};`;
  });
  return line(`hdr.${name}.setValid(); ${values.join(' ')}`);
}

function registerUse(random: Random, places: readonly Place[]): Statement {
  const index = random.below(4);
  const value = expression(random, places, { width: 40, depth: 1 });
  const target = pick(random, places);
  const width = `bit<${target.width}>`;
  const use = `kept.read(word, ${index}); ${target.text} = (${width})word;`;
  return line(`{ bit<40> word; ${use} kept.write(${index}, ${value}); }`);
}

/** bmv2 counts prefixes of other keys from the padding in front of them (docs/deviations.md). */
const isWholeBytes = ({ width }: Place): boolean => width % 8 === 0;

function table(random: Random, name: string, places: readonly Place[]): string {
  const kind = pick(random, KINDS);
  const keys = Array.from({ length: 1 + random.below(2) }, (_, i) => {
    const field = pick(random, kind === 'lpm' && i === 0 ? places.filter(isWholeBytes) : places);
    // One field of a table may have a prefix; ranges are compared as numbers of any width.
    return `${field.text} : ${kind === 'lpm' && i > 0 ? 'exact' : kind} @name("${name}k${i}");`;
  });
  const width = anyWidth(random);
  const withParameter = [...places, { text: 'value', width }];
  const set = textOf([
    assignment(random, places, withParameter),
    assignment(random, places, withParameter),
  ]);
  const other = textOf([assignment(random, places)]);
  return `  action ${name}_set(bit<${width}> value) {
${set}  }
  action ${name}_other() {
${other}  }
  table ${name} {
    key = { ${keys.join(' ')} }
    actions = { ${name}_set; ${name}_other; NoAction; }
    default_action = ${name}_set(${constant(random, width)});
    size = 64;
  }
`;
}

/** The P4 text of a program. */
export function p4Text({ headers, metadata, tables, ingress, egress }: RandomProgram): string {
  const fieldName = ({ text }: Place): string => text.slice(text.lastIndexOf('.') + 1);
  const declared = (fields: readonly Place[]): string =>
    fields.map((field) => `  bit<${field.width}> ${fieldName(field)};\n`).join('');
  const parameters = 'inout headers_t hdr, inout meta_t meta';
  const control = `${parameters}, inout standard_metadata_t standard`;
  return `#include <core.p4>
#include <v1model.p4>
${headers.map(({ name, fields }) => `header ${name}_t {\n${declared(fields)}}\n`).join('')}
struct headers_t { ${headers.map(({ name }) => `${name}_t ${name};`).join(' ')} }
struct meta_t {
${declared(metadata)}}
parser parse(packet_in packet, out headers_t hdr, inout meta_t meta,
             inout standard_metadata_t standard) {
  state start {
    packet.extract(hdr.first);
    transition select(hdr.first.f0[1:0]) { 0 : accept; 1 : third; default : second; }
  }
  state second {
    packet.extract(hdr.second);
    transition select(hdr.second.f0[0:0]) { 1 : third; default : accept; }
  }
  state third { packet.extract(hdr.third); transition accept; }
}
control verifying(${parameters}) { apply { } }
control ingress(${control}) {
  register<bit<40>>(4) kept;
${tables.join('')}  apply {
    bit<2> way = hdr.first.f0[3:2];
${textOf(ingress)}    standard.egress_spec = (bit<9>)way + 1;
  }
}
control egress(${control}) {
  register<bit<40>>(4) kept;
  apply {
${textOf(egress)}  }
}
control updating(${parameters}) { apply { } }
control deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(parse(), verifying(), ingress(), egress(), updating(), deparse()) main;
`;
}

/** Programs with one statement fewer. */
export function* smaller(program: RandomProgram): Iterable<RandomProgram> {
  for (const ingress of withoutOne(program.ingress)) yield { ...program, ingress };
  for (const egress of withoutOne(program.egress)) yield { ...program, egress };
}
