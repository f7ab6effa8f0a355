import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { NetworkSpec, SwitchSpec } from '../../document/network';
import type { Match } from '../../entities/match';
import type { CloneSession } from '../../entities/replication';
import type { DefaultEntry, TableEntry } from '../../entities/table-entry';
import type { Value } from '../../entities/value';
import type { Surroundings } from '../routing/forwarding';

/** What the part of a switch in telemetry is derived from. */
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

/** What a table without key fields does. */
export const defaultEntry = (
  table: string,
  name: string,
  values: Readonly<Record<string, Value>>,
): DefaultEntry => ({ kind: 'default-entry', table, action: { name, arguments: values } });

/**
 * A clone session that makes one copy for one port.
 * @param neededBytes what becomes of a copy needs no more of it; a target that does not shorten packets when
 * they leave, Tofino, cuts there. Others leave copies whole.
 */
export function sessionTo(
  { document }: SwitchSpec,
  { cloneSession, port }: { readonly cloneSession: number; readonly port: number },
  neededBytes = 0,
): CloneSession {
  const replicas = [{ port, instance: 0 }];
  const packetLengthBytes = document.target === 'stratum' ? neededBytes : 0;
  return {
    ...{ kind: 'clone-session', sessionId: cloneSession, replicas },
    ...{ classOfService: 0, packetLengthBytes },
  };
}
