/**
 * Forms of older compilers, p4c before 2017 and p4c-bm, that bmv2 still loads (its `P4Objects.cpp`).
 *
 *     no __meta__                                  of any version
 *     no action_ids of a table                     ids of the actions of those names
 *     no id of any action                          its place in the list
 *     no base_default_next, no conditionals        null, none
 *     act_prof_name and selector of a table        an action profile of that name
 *     match kind `valid` of a header               the header's `$valid$`
 *     no metadata of a header                      false
 */

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a list that are objects, changed; whatever else it is stays for the schema to refuse. */
function each(list: unknown, change: (member: Json) => Json): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((member: unknown) => (isObject(member) ? change(member) : member));
}

/** The JSON of a program as p4c writes it today; what is so already is not changed. */
export function withFormOfToday(json: unknown): unknown {
  if (!isObject(json)) return json;
  const actions = actionsOfToday(json['actions']);
  const ids = actionIds(actions);
  return {
    ...json,
    actions,
    headers: each(json['headers'], (header) => ({ metadata: false, ...header })),
    pipelines: each(json['pipelines'], (pipeline) => pipelineOfToday(pipeline, ids)),
  };
}

/** Where none has an id, tables can but name them. */
function actionsOfToday(actions: unknown): unknown {
  const hasId = (action: unknown): boolean => isObject(action) && action['id'] !== undefined;
  if (!Array.isArray(actions) || actions.some(hasId)) return actions;
  return actions.map((action: unknown, id) => (isObject(action) ? { ...action, id } : action));
}

/** Ids by name; the first one where a name occurs in several tables, as bmv2 takes it. */
function actionIds(actions: unknown): ReadonlyMap<unknown, unknown> {
  const ids = new Map<unknown, unknown>();
  for (const action of Array.isArray(actions) ? (actions as unknown[]) : []) {
    if (isObject(action) && !ids.has(action['name'])) ids.set(action['name'], action['id']);
  }
  return ids;
}

function pipelineOfToday(pipeline: Json, ids: ReadonlyMap<unknown, unknown>): Json {
  const { tables, action_profiles: known = [] } = pipeline;
  const names = new Set(Array.isArray(known) ? known.map((profile: Json) => profile['name']) : []);
  const found: Json[] = [];
  for (const table of Array.isArray(tables) ? (tables as unknown[]) : []) {
    const profile = isObject(table) ? ownProfile(table) : undefined;
    if (profile === undefined || names.has(profile['name'])) continue;
    names.add(profile['name']);
    found.push(profile);
  }
  return {
    conditionals: [],
    ...pipeline,
    tables: each(tables, (table) => tableOfToday(table, ids)),
    ...(found.length > 0 &&
      Array.isArray(known) && { action_profiles: [...(known as unknown[]), ...found] }),
  };
}

/** Members of a profile that names no size; bmv2 then has no limit. */
const PROFILE_SIZE = 2 ** 20;

/** The action profile that a table of p4c-bm declares in itself. */
function ownProfile(table: Json): Json | undefined {
  const { type, act_prof_name: name, selector, action_profile: today } = table;
  const isIndirect = type === 'indirect' || type === 'indirect_ws';
  if (!isIndirect || today !== undefined || typeof name !== 'string') return undefined;
  return { name, max_size: PROFILE_SIZE, ...(isObject(selector) && { selector }) };
}

function tableOfToday(table: Json, ids: ReadonlyMap<unknown, unknown>): Json {
  const { actions, action_ids: known, act_prof_name: profile } = table;
  const byName = Array.isArray(actions) ? actions.map((name: unknown) => ids.get(name)) : actions;
  return {
    base_default_next: null,
    ...(typeof profile === 'string' && { action_profile: profile }),
    ...table,
    // A name that no action has stays undefined, which the schema refuses at its place.
    action_ids: known ?? byName,
    key: each(table['key'], keyOfToday),
  };
}

/** P4-14 matches on the validity of a header by a kind of its own. */
function keyOfToday(part: Json): Json {
  const { match_type: kind, target } = part;
  if (kind !== 'valid' || typeof target !== 'string') return part;
  return { name: target, ...part, match_type: 'exact', target: [target, '$valid$'] };
}
