import { lookUp } from './checked';
import { malformed, refuse } from './place';
import type { JsonProgram } from './json-schema';
import type { FieldLayout, HeaderLayout, StackLayout } from './nodes';
import type { Place } from './place';

export interface LoweredHeaders {
  readonly headers: readonly HeaderLayout[];
  readonly byName: ReadonlyMap<string, HeaderLayout>;
  readonly stacks: readonly StackLayout[];
  readonly fields: ReadonlyMap<string, FieldLayout>;
  readonly slots: number;
}

type JsonHeaderType = JsonProgram['header_types'][number];

/** Lays out all header instances, their fields and the aliases of fields. */
export function lowerHeaders(json: JsonProgram, root: Place): LoweredHeaders {
  refuseUnions(json, root);
  const types = new Map(json.header_types.map((type) => [type.name, type]));
  const headers: HeaderLayout[] = [];
  let slots = 0;
  json.headers.forEach((instance, index) => {
    const place = root.child('headers').child(index);
    const type = lookUp(types, instance.header_type, 'header type', place);
    const header = layOut(type, { ...instance, index, firstSlot: slots }, place);
    headers.push(header);
    slots += header.fields.length;
  });
  const byName = new Map(headers.map((header) => [header.name, header]));
  return {
    headers,
    byName,
    stacks: lowerStacks(json, byName, root.child('header_stacks')),
    fields: nameFields(json, headers, root),
    slots,
  };
}

function refuseUnions(json: JsonProgram, root: Place): void {
  for (const key of ['header_union_types', 'header_unions', 'header_union_stacks'] as const) {
    json[key].forEach((union, i) => {
      refuse(`header union '${union.name ?? ''}'`, root.child(key).child(i));
    });
  }
}

function layOut(
  type: JsonHeaderType,
  instance: { name: string; metadata: boolean; index: number; firstSlot: number },
  place: Place,
): HeaderLayout {
  const fields: FieldLayout[] = [];
  let bitOffset = 0;
  for (const [name, width, signed, saturating] of type.fields) {
    if (width === '*') return refuse(`varbit field '${type.name}.${name}'`, place);
    fields.push({
      name,
      width,
      bitOffset,
      signed: Boolean(signed),
      saturating: Boolean(saturating),
      slot: instance.firstSlot + fields.length,
      header: instance.index,
    });
    bitOffset += width;
  }
  if (!instance.metadata && bitOffset % 8 !== 0) {
    malformed(`header type '${type.name}' has ${bitOffset} bits, which are no whole bytes`, place);
  }
  return {
    name: instance.name,
    typeName: type.name,
    index: instance.index,
    metadata: instance.metadata,
    fields,
    firstSlot: instance.firstSlot,
    byteLength: Math.ceil(bitOffset / 8),
  };
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
