import type { Command, StfTest } from '../text/statements';

/**
 * The test at a fraction of its pace, for switches that a busy machine keeps waiting: queues of
 * `factor` times fewer packets a second, and `factor` times longer waits. A test that paces no queue, or
 * one at a rate that has no such fraction, stays as it is.
 */
export function slowDown(test: StfTest, factor: number): StfTest {
  const rates = test.statements.flatMap(({ command }) =>
    command.kind === 'set-queue-rate' ? [command.packetsPerSecond] : [],
  );
  if (rates.length === 0 || rates.some((rate) => rate % factor !== 0)) return test;
  const statements = test.statements.map((statement) => ({
    ...statement,
    command: slower(statement.command, factor),
  }));
  return { ...test, statements };
}

function slower(command: Command, factor: number): Command {
  if (command.kind === 'wait') return { ...command, duration: command.duration * factor };
  if (command.kind !== 'set-queue-rate') return command;
  return { ...command, packetsPerSecond: command.packetsPerSecond / factor };
}
