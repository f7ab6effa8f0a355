import { StateError } from '../control/table-control';
import type { CloneSession, CloneSessionControl } from '../control/packet-control';

/** Ids of sessions have 15 bits. */
const SESSION_MAX = 0x7fff;

/** Where clones go, by session. A clone of a session that does not exist goes nowhere. */
export class CloneSessions implements CloneSessionControl {
  readonly #sessions = new Map<number, CloneSession>();

  /** @throws StateError when the id does not fit into 15 bits. */
  setSession(sessionId: number, session: CloneSession): void {
    if (!Number.isInteger(sessionId) || sessionId < 0 || sessionId > SESSION_MAX) {
      const wanted = `wanted a clone session from 0 to ${SESSION_MAX}`;
      throw new StateError('invalid', `${wanted}, found ${sessionId}`);
    }
    this.#sessions.set(sessionId, session);
  }

  deleteSession(sessionId: number): void {
    this.#sessions.delete(sessionId);
  }

  session(sessionId: number): CloneSession | undefined {
    return this.#sessions.get(sessionId);
  }

  clear(): void {
    this.#sessions.clear();
  }
}
