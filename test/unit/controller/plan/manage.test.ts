import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import { P4InfoIndex } from '../../../../common/p4runtime/p4info';
import type { KeptEntity } from '../../../../controller/entities/identity';
import type { NamedEntity } from '../../../../controller/entities/named-entity';
import { defaultTables, initialDefaults, management } from '../../../../controller/plan/manage';

const table = (id: number, name: string, more = ''): string => `tables {
  preamble { id: ${id} name: "ingress.${name}" alias: "${name}" }
  match_fields { id: 1 name: "dst" bitwidth: 32 match_type: EXACT }
  action_refs { id: 20 } ${more}
}`;
const SEED = 'initial_default_action { action_id: 20 arguments { param_id: 1 value: "\\007" } }';

const program = new P4InfoIndex(
  parseP4Info(
    Buffer.from(`
      ${table(1, 'route', SEED)}
      ${table(2, 'fixed', 'is_const_table: true')}
      ${table(3, 'filled', 'has_initial_entries: true')}
      ${table(4, 'bound', 'const_default_action_id: 20')}
      ${table(5, 'chosen', 'implementation_id: 30')}
      ${table(6, 'plain')}
      actions {
        preamble { id: 20 name: "ingress.set" alias: "set" }
        params { id: 1 name: "value" bitwidth: 8 } params { id: 2 name: "unsaid" bitwidth: 8 }
      }
      action_profiles { preamble { id: 30 name: "ingress.profile" alias: "profile" } table_ids: 5 }
    `),
    'text',
  ),
);

const entry = (name: string): Extract<KeptEntity, { kind: 'table-entry' }> => ({
  kind: 'table-entry',
  table: `ingress.${name}`,
  match: {},
  priority: 0,
  action: { kind: 'action', action: { name: 'ingress.set', arguments: {} } },
});
const defaultOf = (name: string, value?: string): KeptEntity => ({
  kind: 'default-entry',
  table: `ingress.${name}`,
  ...(value !== undefined && { action: { name: 'ingress.set', arguments: { value } } }),
});
const INITIAL = {
  kind: 'default-entry',
  table: 'ingress.route',
  action: { name: 'ingress.set', arguments: { value: '7', unsaid: '0' } },
};

const TABLES = ['route', 'fixed', 'filled', 'bound', 'chosen', 'plain'];
const managed = (
  make: (name: string) => NamedEntity,
  ...args: [KeptEntity[], string[]]
): string[] => {
  const { manages } = management(args[0], program, args[1]);
  return TABLES.filter((name) => manages(make(name)));
};

describe('what the controller answers for', () => {
  test('the entries of all tables but constant ones and those that the program fills', () => {
    expect(managed(entry, [], [])).toEqual(['route', 'bound', 'chosen', 'plain']);
  });

  test('the entries of a table that the program fills, once the document speaks of it', () => {
    expect(managed(entry, [entry('filled')], [])).toContain('filled');
    expect(managed(entry, [defaultOf('filled', '1')], [])).not.toContain('filled');
  });

  test('not the tables that are left to others, by any of their names', () => {
    expect(managed(entry, [], ['route', 'ingress.plain', 'nosuch'])).toEqual(['bound', 'chosen']);
    expect(managed(defaultOf, [], ['route'])).toEqual(['fixed', 'filled', 'plain']);
  });

  test('not an entry that the program declares', () => {
    const { manages } = management([], program, []);
    expect(manages({ ...entry('route'), isConst: true })).toBe(false);
  });

  test('default actions where the program leaves them open', () => {
    expect(managed(defaultOf, [], [])).toEqual(['route', 'fixed', 'filled', 'plain']);
    expect(defaultTables(program).map(({ name }) => name)).not.toContain('ingress.bound');
  });

  test('members and sessions, but nothing that is not kept', () => {
    const { manages } = management([], program, []);
    const action = { name: 'ingress.set', arguments: {} };
    expect(manages({ kind: 'member', actionProfile: 'profile', memberId: 1, action })).toBe(true);
    expect(manages({ kind: 'counter', counter: 'c' })).toBe(false);
  });
});

describe('what shall be there', () => {
  test('the defaults of the program are, where nobody says otherwise', () => {
    expect(management([entry('plain')], program, []).desired).toEqual([entry('plain'), INITIAL]);
    const own = defaultOf('route', '9');
    expect(management([own], program, []).desired).toEqual([own]);
    expect(management([], program, ['route']).desired).toEqual([]);
  });

  test('arguments that P4Info does not tell are 0', () => {
    expect(initialDefaults(program)).toEqual([INITIAL]);
    expect(initialDefaults(program, [])).toEqual([]);
  });
});
