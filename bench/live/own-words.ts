import { wordsAt } from '../../host-agent/settings/idle';

/**
 * A command of the host command line with those of the options of both hosts that have an effect at its end of
 * flows: others are refused.
 */
export function ownWords([command = '', ...words]: readonly string[]): string[] {
  const starts = command === 'send';
  return [command, ...wordsAt(words, { starts, answers: !starts })];
}
