import { spawnSync } from 'node:child_process';

/**
 * Tests that need something the machine may lack, such as a compiler. Where it is missing, one
 * skipped test says so by its name, so that nobody mistakes silence for success.
 * @param condition whether the requirement is met.
 * @param name the name of the suite.
 * @param reason what is missing when the condition does not hold, as in "protoc is not on PATH".
 */
export function describeIf(
  condition: boolean,
  name: string,
  reason: string,
  suite: () => void,
): void {
  if (condition) describe(name, suite);
  else reportSkipped(name, reason);
}

/** One test that the report counts as skipped, by its name and with the reason. */
export function reportSkipped(name: string, reason: string): void {
  const { skip } = test;
  skip(`${name} (skipped: ${reason})`, () => undefined);
}

/** True if a command that knows `--version` is on PATH. */
export const isOnPath = (command: string): boolean =>
  spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
