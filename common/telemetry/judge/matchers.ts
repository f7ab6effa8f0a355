import { dissectFrame } from '../craft/kinds';
import { RoleJudge } from './roles';
import type { JudgedRole } from './roles';

/** Answer of a matcher, as jest wants it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers for `expect.extend` of jest. `expect(frame).toCarryInt(2)`: the frame carries INT, of so many hops if a
 * number is given. `expect(returned).toFollow(sent, role)`: a device in a role, a transit hop of INT-MD unless given, made
 * one of the other as the specification wants it.
 */
export const intMatchers: {
  toCarryInt(frame: Uint8Array, hops?: number): MatcherResult;
  toFollow(returned: Uint8Array, sent: Uint8Array, role?: JudgedRole): MatcherResult;
} = {
  toCarryInt(frame, hops) {
    const int = dissectFrame(frame).layers.find(({ kind }) => INT_KINDS.has(kind));
    const found = ((int?.['hops'] ?? []) as readonly unknown[]).length;
    const pass = int !== undefined && (hops === undefined || hops === found);
    const wanted = hops === undefined ? 'INT' : `INT of ${hops} hops`;
    return {
      pass,
      message: () => `wanted ${wanted}, found ${int === undefined ? 'none' : `${found} hops`}`,
    };
  },
  toFollow(returned, sent, role = 'transit') {
    const verdicts = new RoleJudge(role).judge({ sent, returned: [returned] });
    const failures = verdicts.filter(({ verdict }) => verdict === 'fail');
    const lines = failures.map(({ clause, reason }) => `${clause}: ${reason ?? ''}`);
    return {
      pass: failures.length === 0,
      message: () =>
        lines.length === 0 ? 'the packet follows the specification' : lines.join('\n'),
    };
  },
};

const INT_KINDS: ReadonlySet<string> = new Set(['int-md', 'int-mx', 'int-v1', 'int-v0.5']);
