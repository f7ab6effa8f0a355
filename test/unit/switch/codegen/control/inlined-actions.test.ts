import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../../../../common/io/p4-profiles';
import { inlinedActions } from '../../../../../switch/codegen/control/inlined-actions';
import { readProgram } from '../../../../../switch/ir/lowering/read-program';

const programOf = (profile: string): ReturnType<typeof readProgram> =>
  readProgram(fs.readFileSync(path.join(p4ArtifactFolder(), `${profile}.json`), 'utf8'));

/** Names of the actions of a profile that stand in the place of their call. */
function inlinedNames(profile: string): readonly string[] {
  const program = programOf(profile);
  const inlined = inlinedActions(program);
  return [...program.actions.values()].filter(({ id }) => inlined.has(id)).map(({ name }) => name);
}

describe('actions in the place of their call', () => {
  test('are all that one place calls, where a control stays small', () => {
    const names = inlinedNames('hpcc');
    expect(names).toContain('egress.transit.sum_hop');
    expect(names).toContain('ingress.route.forward');
  });

  test('are the small ones, where a control would become too large for V8 to optimise', () => {
    const names = inlinedNames('hpcc-ccm');
    expect(names).toContain('ingress.flow.own.hash_ipv4');
    expect(names).not.toContain('ingress.coordination.decision.scan.look');
    // Of the actions of a table a packet runs one.
    expect(names).not.toContain('ingress.route.forward');
  });
});
