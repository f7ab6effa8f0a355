import { TNA_PROGRAMS, p4Sources } from '../../../common/io/p4-profiles';
import { MODEL_FOLDER, TOFINO_MODELS } from '../../p4/support/tofino-models';

/** Everything that the programs for Tofino are made of, and what their models are. */
const OF_TOFINO = new Map(TNA_PROGRAMS.flatMap((program) => [...p4Sources(program)]));
const OF_MODELS = new Set(
  TOFINO_MODELS.flatMap((model) => [...p4Sources(model, MODEL_FOLDER).keys()]),
);

const isTofinoOnly = (name: string): boolean => /^tofino[/](target|programs)[/]/.test(name);
const TOPS = TNA_PROGRAMS.map(({ program }) => program);
const CONTROL = /^control /m;
/** Deparsers, and the engines that they update checksums by. */
const DEPARSERS = /\/(\w*deparsers?|telemetry_checksums|ipv4_checksum)\.p4$/;

const isBlock = (name: string, text: string): boolean =>
  CONTROL.test(text) && !TOPS.includes(name) && !DEPARSERS.test(name);

/** Lines that are neither empty nor comment alone. */
const lines = (text: string): number =>
  text
    .replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .split('\n')
    .filter((line) => line.trim() !== '').length;

/** Lines that only TNA has, as a share of those that models have as well. */
function share(counts: (name: string, text: string) => boolean): number {
  const counted = [...OF_TOFINO].filter(([name, text]) => counts(name, text));
  const sum = (own: boolean): number =>
    counted
      .filter(([name]) => isTofinoOnly(name) === own)
      .reduce((total, [, text]) => total + lines(text), 0);
  return sum(true) / sum(false);
}

describe('what the programs for Tofino are made of', () => {
  test('is tested by the models, unless it is TNA alone', () => {
    const untested = [...OF_TOFINO.keys()].filter(
      (name) => !isTofinoOnly(name) && !OF_MODELS.has(name),
    );
    expect(untested).toEqual([]);
  });

  test.each([
    ['parsers, deparsers, structs and tops included', () => true, 0.45],
    ['of blocks alone', isBlock, 0.32],
  ] as const)('is TNA alone in few lines, %s', (_what, counts, ceiling) => {
    expect(share(counts)).toBeLessThanOrEqual(ceiling);
  });

  test('has no condition on a target in what is shared', () => {
    const conditions = [...OF_TOFINO].filter(
      ([name, text]) => !isTofinoOnly(name) && /^#(if|ifn?def).*TARGET/m.test(text),
    );
    expect(conditions.map(([name]) => name)).toEqual([]);
  });

  test('is counted without comments and empty lines', () => {
    expect(lines('/* one\n * two */\n\nstate start {\n    /* why */\n}\n')).toBe(2);
  });
});
