import { lookUp, malformed, refuse } from './checked';
import type { JsonProgram } from './json-schema';
import type {
  FieldLayout,
  HeaderLayout,
  StackLayout,
  UnionLayout,
  UnionStackLayout,
} from '../nodes';
import type { Place } from './checked';

export interface LoweredHeaders extends LoweredUnions {
  readonly headers: readonly HeaderLayout[];
  readonly byName: ReadonlyMap<string, HeaderLayout>;
  readonly stacks: readonly StackLayout[];
  readonly fields: ReadonlyMap<string, FieldLayout>;
  readonly slots: number;
}

type JsonHeaderType = JsonProgram['header_types'][number];

/** Lays out all header instances, their fields and the aliases of fields. */
export function lowerHeaders(json: JsonProgram, root: Place): LoweredHeaders {
  const types = new Map(json.header_types.map((type) => [type.name, type]));
  const { unions, unionStacks } = lowerUnions(json, root);
  const unionOf = new Map(unions.flatMap(({ headers, index }) => headers.map((h) => [h, index])));
  const headers: HeaderLayout[] = [];
  let slots = 0;
  json.headers.forEach((instance, index) => {
    const place = root.child('headers').child(index);
    const type = lookUp(types, instance.header_type, 'header type', place);
    const union = unionOf.get(index);
    const header = layOut(type, { ...instance, index, firstSlot: slots, union }, place);
    headers.push(header);
    slots += header.fields.length;
  });
  const byName = new Map(headers.map((header) => [header.name, header]));
  return {
    headers,
    byName,
    stacks: lowerStacks(json, byName, root.child('header_stacks')),
    unions,
    unionStacks,
    fields: nameFields(json, headers, root),
    slots,
  };
}

interface Instance {
  readonly name: string;
  readonly metadata: boolean;
  readonly index: number;
  readonly firstSlot: number;
  readonly union: number | undefined;
}

function layOut(type: JsonHeaderType, instance: Instance, place: Place): HeaderLayout {
  const { fields, bits } = layOutFields(type, instance, place);
  if (!instance.metadata && bits % 8 !== 0) {
    malformed(`header type '${type.name}' has ${bits} bits, which are no whole bytes`, place);
  }
  const varbit = fields.findIndex((field) => field.variable);
  return {
    name: instance.name,
    typeName: type.name,
    index: instance.index,
    metadata: instance.metadata,
    fields,
    firstSlot: instance.firstSlot,
    byteLength: Math.ceil(bits / 8),
    varbit: varbit < 0 ? undefined : varbit,
    union: instance.union,
  };
}

/** The fields, and the bits of those whose width is fixed. */
function layOutFields(
  type: JsonHeaderType,
  instance: Instance,
  place: Place,
): { readonly fields: FieldLayout[]; readonly bits: number } {
  const fields: FieldLayout[] = [];
  const fixed = type.fields.reduce((sum, [, width]) => sum + (width === '*' ? 0 : width), 0);
  let bitOffset = 0;
  for (const [name, width, signed, saturating] of type.fields) {
    fields.push({
      name,
      width: width === '*' ? varbitWidth(type, fixed, place) : width,
      variable: width === '*',
      bitOffset,
      signed: Boolean(signed),
      saturating: Boolean(saturating),
      slot: instance.firstSlot + fields.length,
      header: instance.index,
    });
    bitOffset += width === '*' ? 0 : width;
  }
  return { fields, bits: fixed };
}

/** The largest width of a varbit field is what the other fields leave of the largest length. */
function varbitWidth(type: JsonHeaderType, fixed: number, place: Place): number {
  if (type.length_exp !== undefined && type.length_exp !== null) {
    refuse(`the length expression of header type '${type.name}'`, place);
  }
  if (type.fields.filter(([, width]) => width === '*').length > 1) {
    malformed(`header type '${type.name}' has two varbit fields`, place);
  }
  const { max_length: most } = type;
  if (most === null || most === undefined || most * 8 < fixed) {
    return malformed(`header type '${type.name}' has a varbit field and no 'max_length'`, place);
  }
  return most * 8 - fixed;
}

function lowerStacks(
  json: JsonProgram,
  byName: ReadonlyMap<string, HeaderLayout>,
  place: Place,
): StackLayout[] {
  const byId = new Map(json.headers.map((header) => [header.id, header.name]));
  return json.header_stacks.map((stack, index) => ({
    name: stack.name,
    index,
    typeName: stack.header_type,
    headers: stack.header_ids.map((id, i) => {
      const element = place.child(index).child('header_ids').child(i);
      const name = byId.get(id) ?? malformed(`no header has the id ${id}`, element);
      const header = lookUp(byName, name, 'header', element);
      if (header.typeName === stack.header_type) return header.index;
      return malformed(`'${name}' is not of type '${stack.header_type}'`, element);
    }),
  }));
}

function nameFields(
  json: JsonProgram,
  headers: readonly HeaderLayout[],
  root: Place,
): Map<string, FieldLayout> {
  const fields = new Map<string, FieldLayout>();
  for (const header of headers) {
    for (const field of header.fields) fields.set(`${header.name}.${field.name}`, field);
  }
  json.field_aliases.forEach(([alias, [header, field]], i) => {
    const place = root.child('field_aliases').child(i);
    fields.set(alias, lookUp(fields, `${header}.${field}`, 'field', place));
  });
  return fields;
}

interface LoweredUnions {
  readonly unions: readonly UnionLayout[];
  readonly unionStacks: readonly UnionStackLayout[];
}

/** Resolves the members of header unions, and the unions of union stacks. */
function lowerUnions(json: JsonProgram, root: Place): LoweredUnions {
  const types = new Map(json.header_union_types.map((type) => [type.name, type]));
  const positions = new Map(json.headers.map(({ id }, i) => [id, i]));
  const place = root.child('header_unions');
  const unions = json.header_unions.map((union, index): UnionLayout => {
    const at = place.child(index);
    const type = lookUp(types, union.union_type, 'header union type', at);
    const headers = union.header_ids.map(
      (id) => positions.get(id) ?? malformed(`no header has the id ${id}`, at),
    );
    const wanted = type.headers.map(([, headerType]) => headerType);
    const found = headers.map((header) => json.headers[header]?.header_type);
    const memberNames = type.headers.map(([name]) => name);
    if (wanted.join() === found.join()) {
      return { name: union.name, index, typeName: union.union_type, memberNames, headers };
    }
    return malformed(`wanted members of types ${wanted.join()}, found ${found.join()}`, at);
  });
  return { unions, unionStacks: lowerUnionStacks(json, unions, root.child('header_union_stacks')) };
}

function lowerUnionStacks(
  json: JsonProgram,
  unions: readonly UnionLayout[],
  place: Place,
): UnionStackLayout[] {
  const positions = new Map(json.header_unions.map(({ id }, i) => [id, i]));
  return json.header_union_stacks.map((stack, index) => ({
    name: stack.name,
    index,
    typeName: stack.union_type,
    unions: stack.header_union_ids.map((id) => {
      const position = positions.get(id);
      if (position !== undefined && unions[position]?.typeName === stack.union_type) {
        return position;
      }
      return malformed(`no '${stack.union_type}' has the id ${id}`, place.child(index));
    }),
  }));
}
