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

/** A clone session that makes one copy for one port, cut to so many bytes, or whole. */
export function sessionTo(sessionId: number, port: number, packetLengthBytes = 0): CloneSession {
  const replicas = [{ port, instance: 0 }];
  return { kind: 'clone-session', sessionId, replicas, classOfService: 0, packetLengthBytes };
}
