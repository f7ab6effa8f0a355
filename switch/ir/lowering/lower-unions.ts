import { lookUp } from '../json/checked';
import { malformed } from '../json/place';
import type { JsonProgram } from '../json/json-schema';
import type { UnionLayout, UnionStackLayout } from '../nodes';
import type { Place } from '../json/place';

export interface LoweredUnions {
  readonly unions: readonly UnionLayout[];
  readonly unionStacks: readonly UnionStackLayout[];
}

/** Resolves the members of header unions, and the unions of union stacks. */
export function lowerUnions(json: JsonProgram, root: Place): LoweredUnions {
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
