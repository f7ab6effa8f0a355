import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { inState, requireState } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';
import { StateError } from '../../control/table-control';
import type { CloneSessionControl, MulticastControl } from '../../control/packet-control';

/** The parts of a switch that copy packets, where it has them. */
export interface Replicators {
  readonly multicast?: MulticastControl;
  readonly cloneSessions?: CloneSessionControl;
}

/** The multicast groups and clone sessions of a device, as controllers wrote them. */
export class Replication {
  readonly groups = new Map<number, p4.MulticastGroupEntry>();
  readonly sessions = new Map<number, p4.CloneSessionEntry>();

  constructor(readonly control: Replicators) {}

  /** Takes them all out of the switch, which may have forgotten them with its program. */
  clear(): void {
    for (const id of this.groups.keys()) {
      ignoringMissing(() => this.control.multicast?.deleteGroup(id));
    }
    for (const id of this.sessions.keys()) {
      ignoringMissing(() => this.control.cloneSessions?.deleteSession(id));
    }
    this.groups.clear();
    this.sessions.clear();
  }
}

/** An update of an entry that has a number, and what it does to the switch. */
export interface NumberedUpdate<Entry> {
  readonly type: UpdateType;
  readonly id: number;
  readonly entry: Entry;
  /** Names the entry in error messages. */
  readonly where: string;
  readonly set: () => void;
  readonly remove: () => void;
}

/** Changes the switch and what is noted of it, both or none. @throws RpcError */
export function applyNumbered<Entry>(
  written: Map<number, Entry>,
  { type, id, entry, where, set, remove }: NumberedUpdate<Entry>,
): void {
  requireState(type, written.has(id), where);
  inState(where, type === 'delete' ? remove : set);
  if (type === 'delete') written.delete(id);
  else written.set(id, entry);
}

function ignoringMissing(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (!(error instanceof StateError) || error.code !== 'not-found') throw error;
  }
}
