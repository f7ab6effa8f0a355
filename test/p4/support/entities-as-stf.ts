import { unreachable } from '../../../common/assert';
import { parseValue } from '../../../common/p4runtime/values';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { ActionByName } from '../../../controller/entities/action';
import type { KeptEntity } from '../../../controller/entities/identity';
import type { FieldMatch } from '../../../controller/entities/match';
import type { TableEntry } from '../../../controller/entities/table-entry';
import { parseStf } from '../../../switch/stf/text/parse-stf';
import type { StfTest } from '../../../switch/stf/text/statements';

/**
 * Writes what the controller has planned for a switch in the statements of packet tests: the way to
 * the model of a chip, which has no driver and no P4Runtime server before it.
 * @throws when the plan has an entity that no statement is for.
 */
export function entitiesAsStf(program: P4InfoIndex, planned: readonly KeptEntity[]): StfTest {
  const writer = new StatementWriter(program);
  const rank = (kind: string): number => ['member', 'group'].indexOf(kind) >>> 0;
  const inOrder = [...planned].sort((a, b) => rank(a.kind) - rank(b.kind));
  return parseStf(inOrder.flatMap((each) => writer.statement(each)).join('\n'), 'planned entities');
}

class StatementWriter {
  /** Numbers of members and groups, in the order in which they were made, by their profile. */
  readonly #handles = new Map<string, number[]>();

  constructor(private readonly program: P4InfoIndex) {}

  statement(entity: KeptEntity): string[] {
    switch (entity.kind) {
      case 'member':
        this.#keep(`member ${entity.actionProfile}`, entity.memberId);
        return [
          `member_create ${this.#selector(entity.actionProfile)} ${this.#call(entity.action)}`,
        ];
      case 'group': {
        this.#keep(`group ${entity.actionProfile}`, entity.groupId);
        const members = entity.members.map(({ memberId }) =>
          this.#handle(`member ${entity.actionProfile}`, memberId),
        );
        return [`group_create ${this.#selector(entity.actionProfile)} ${members.join(' ')}`];
      }
      case 'table-entry':
        return [this.#entry(entity)];
      case 'default-entry':
        if (entity.action === undefined) return [];
        return [`setdefault ${entity.table} ${this.#call(entity.action)}`];
      case 'clone-session':
        return [`mirroring_add ${entity.sessionId} ${entity.replicas[0]?.port}`];
      case 'multicast-group':
        throw new Error('no statement for a planned multicast group');
      default:
        return unreachable(entity);
    }
  }

  #entry({ table, match, priority, action }: TableEntry): string {
    const info = this.program.tables.get(table);
    const fields = Object.entries(match).map(
      ([name, value]) => `${name}:${fieldText(info, name, value)}`,
    );
    const rank = priority > 0 ? [String(priority)] : [];
    const profile = this.program.actionProfiles.byNumber(info.actionProfileId ?? 0)?.name ?? '';
    const call =
      action.kind === 'action'
        ? this.#call(action.action)
        : action.kind === 'member'
          ? `member(handle:${this.#handle(`member ${profile}`, action.memberId)})`
          : action.kind === 'group'
            ? `group(handle:${this.#handle(`group ${profile}`, action.groupId)})`
            : undefined;
    if (call === undefined) throw new Error(`no statement for a group of an entry in '${table}'`);
    return ['add', table, ...rank, ...fields, call].join(' ');
  }

  /** Packet tests name a profile by the selector of it. */
  #selector(profile: string): string {
    return SELECTORS.get(profile) ?? profile;
  }

  #call({ name, arguments: values }: ActionByName): string {
    const { parameters } = this.program.actions.get(name);
    const texts = Object.entries(values).map(([parameter, value]) => {
      const { width } = parameters.get(parameter);
      return `${parameter}:0x${parseValue(value, width, parameter).toString(16)}`;
    });
    return `${name}(${texts.join(', ')})`;
  }

  #keep(what: string, id: number): void {
    this.#handles.set(what, [...(this.#handles.get(what) ?? []), id]);
  }

  #handle(what: string, id: number): number {
    const at = this.#handles.get(what)?.indexOf(id) ?? -1;
    if (at < 0) throw new Error(`the plan has no ${what} ${id}`);
    return at;
  }
}

/** Selectors of the programs for Tofino, where a profile has one beside its own name. */
const SELECTORS: ReadonlyMap<string, string> = new Map([
  ['ingress.route.ipv4_members', 'ingress.route.ecmp'],
  ['ingress.route.ipv6_members', 'ingress.route.ipv6_ecmp'],
]);

function fieldText(
  table: TableInfo,
  name: string,
  match: FieldMatch | string | number | bigint,
): string {
  const { width } = table.matchFields.get(name);
  const hex = (value: string | number | bigint): string =>
    `0x${parseValue(value, width, name).toString(16)}`;
  if (typeof match !== 'object') return hex(match);
  if ('exact' in match) return hex(match.exact);
  if ('lpm' in match) return `${hex(match.lpm[0])}/${match.lpm[1]}`;
  if ('ternary' in match) return ternaryText(match.ternary, width, name);
  throw new Error(`no statement for the match of '${name}' in '${table.name}'`);
}

/** Binary digits, with `*` where a bit does not count. */
function ternaryText(
  [value, mask]: readonly [string | number | bigint, string | number | bigint],
  width: number,
  name: string,
): string {
  const [bits, known] = [value, mask].map((each) => parseValue(each, width, name)) as [
    bigint,
    bigint,
  ];
  const digits = Array.from({ length: width }, (_, i) => {
    const bit = BigInt(width - 1 - i);
    return (known >> bit) & 1n ? String((bits >> bit) & 1n) : '*';
  });
  return `0b${digits.join('')}`;
}
