import { CandidatePaths } from '../../../../host-agent/path/candidate-paths';
import { hopRecord } from '../../../support/telemetry';

/** A path over leaf 1 and one spine. */
const over = (spine: number) => [1, spine].map((switchId) => hopRecord({ switchId }));

/** Answers each request at once, with the spine that `spineOf` gives for the port. */
function learn(
  paths: CandidatePaths,
  spineOf: (port: number) => number,
  steps: number,
  firstId = 1,
): number[] {
  const replaced: number[] = [];
  let path = 0;
  for (let id = firstId; id < firstId + steps; id++) {
    const next = paths.nextToProbe(path, 0);
    if (next === undefined) break;
    path = next;
    const port = paths.portOf(path);
    const answer = { id, nextId: id + 1, links: over(spineOf(port)) };
    if (paths.noteAnswer(path, answer) === 'replaced') replaced.push(port);
  }
  return replaced;
}

describe('candidates for distinct paths', () => {
  it('are the first source ports, until telemetry shows more', () => {
    const paths = new CandidatePaths(3);
    expect([0, 1, 2].map((path) => paths.portOf(path))).toEqual([0, 1, 2]);
    expect(paths.indexOf(2)).toBe(2);
    expect(paths.indexOf(3)).toBe(-1);
  });

  it('give up ports that lead where others lead, until all differ', () => {
    const paths = new CandidatePaths(3);
    paths.noteOwn(0, over(10), 0);
    // Ports 1 and 3 lead over the flow's own spine, 4 over that of port 2.
    const spines = [10, 10, 20, 10, 20, 30];
    expect(learn(paths, (port) => spines[port] ?? 0, 20)).toEqual([1, 3, 4]);
    expect([0, 1, 2].map((path) => paths.portOf(path))).toEqual([0, 5, 2]);
    expect(paths.linksOf(1)[1]?.switchId).toBe(30);
  });

  it('give up what the flow itself turns out to use', () => {
    const paths = new CandidatePaths(2);
    expect(paths.noteAnswer(1, { id: 1, nextId: 2, links: over(10) })).toBe('noted');
    paths.noteOwn(0, over(10), 2);
    expect(paths.portOf(1)).toBe(2);
    expect(paths.linksOf(1)).toEqual([]);
  });

  it('believe no answer about a port that was given up', () => {
    const paths = new CandidatePaths(2);
    paths.noteOwn(0, over(10), 0);
    expect(paths.noteAnswer(1, { id: 1, nextId: 5, links: over(10) })).toBe('replaced');
    expect(paths.noteAnswer(1, { id: 4, nextId: 6, links: over(20) })).toBe('outdated');
    expect(paths.noteAnswer(1, { id: 5, nextId: 6, links: over(20) })).toBe('noted');
  });

  it('are probed no more when a budget was spent and all led the same way', () => {
    const paths = new CandidatePaths(2);
    paths.noteOwn(0, over(10), 0);
    expect(learn(paths, () => 10, 100)).toHaveLength(2 * 8 + 1);
    expect(paths.nextToProbe(0, 0)).toBeUndefined();
  });

  it('are looked for anew when the path in use has changed', () => {
    const paths = new CandidatePaths(2);
    paths.noteOwn(0, over(10), 0);
    learn(paths, () => 10, 100);
    paths.noteOwn(0, over(20), 200);
    expect(paths.nextToProbe(0, 0)).toBe(1);
    expect(learn(paths, () => 30, 1, 201)).toEqual([]);
    expect(paths.linksOf(1)[1]?.switchId).toBe(30);
  });
});
