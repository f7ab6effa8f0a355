import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { NetworkSpec, SwitchSpec } from '../../document/network';
import type { Match } from '../../entities/match';
import type { CloneSession } from '../../entities/replication';
import type { DefaultEntry, TableEntry } from '../../entities/table-entry';
import type { Value } from '../../entities/value';
import type { Surroundings } from '../routing/forwarding';

/** Input from which the telemetry role of a switch is derived. */
export interface RoleContext {
  readonly network: NetworkSpec;
  readonly spec: SwitchSpec;
  readonly place: Surroundings;
  readonly program: P4InfoIndex;
}

export interface RoleState {
  readonly replication: readonly CloneSession[];
  readonly entries: readonly (TableEntry | DefaultEntry)[];
}

/** Something that a document may ask of a switch, and the table without which its program lacks it. */
export interface Request {
  readonly what: string;
  readonly table: string;
  /** Another table with which a program has it. */
  readonly orTable?: string;
  /** True if the document asks it of this switch. */
  readonly asked: (network: NetworkSpec, spec: SwitchSpec) => boolean;
}

/** One role of switches: the requests of a document for it, and the state that it is made of. */
export interface Role {
  readonly requests: readonly Request[];
  readonly state: (context: RoleContext) => RoleState;
}

export const NO_STATE: RoleState = { replication: [], entries: [] };

/** The role that one section of the document asks for, in programs that have all of its tables. */
export function roleOf<Section>(role: {
  /** The section as the document names it. */
  readonly what: string;
  /** The tables that the role fills; the first is named where a program lacks them. */
  readonly tables: readonly [string, ...string[]];
  readonly section: (network: NetworkSpec) => Section | undefined;
  readonly fill: (section: Section, context: RoleContext) => Partial<RoleState>;
}): Role {
  const { what, tables, section, fill } = role;
  return {
    requests: [{ what, table: tables[0], asked: (network) => section(network) !== undefined }],
    state: (context) => {
      const asked = section(context.network);
      const hasAll = tables.every((name) => context.program.tables.find(name) !== undefined);
      return asked !== undefined && hasAll ? { ...NO_STATE, ...fill(asked, context) } : NO_STATE;
    },
  };
}

/** Key fields of v1model that tables of ports have. */
export const INGRESS_PORT = 'standard_metadata.ingress_port';
export const EGRESS_PORT = 'standard_metadata.egress_port';

/** An entry with an action of its own. */
export function actionEntry(
  table: string,
  match: Match,
  name: string,
  values: Readonly<Record<string, Value>>,
): TableEntry {
  const action = { kind: 'action', action: { name, arguments: values } } as const;
  return { kind: 'table-entry', table, match, priority: 0, action };
}

/** Makes the entry of a table without key fields. */
export const defaultEntry = (
  table: string,
  name: string,
  values: Readonly<Record<string, Value>>,
): DefaultEntry => ({ kind: 'default-entry', table, action: { name, arguments: values } });

/** Tofino 2 cuts at whole words; a length is one without the frame check sequence on either chip. */
const WORD_BYTES = 4;

/**
 * A clone session that makes one copy for one port.
 * @param neededBytes what becomes of a copy needs no more of it; a target that does not shorten packets when
 * they leave, Tofino, cuts at the next whole word. Others leave copies whole.
 */
export function sessionTo(
  { document }: SwitchSpec,
  { cloneSession, port }: { readonly cloneSession: number; readonly port: number },
  neededBytes = 0,
): CloneSession {
  const replicas = [{ port, instance: 0 }];
  const wholeWords = Math.ceil(neededBytes / WORD_BYTES) * WORD_BYTES;
  const packetLengthBytes = document.target === 'stratum' ? wholeWords : 0;
  return {
    kind: 'clone-session',
    sessionId: cloneSession,
    replicas,
    classOfService: 0,
    packetLengthBytes,
  };
}
