import { InputError } from '../../common/errors';
import type { Random } from '../../common/random/random';
import type { Bytes } from '../../common/units/units';

/** Share of the flows, in percent, with at most so many bytes. */
export type SizePoint = readonly [bytes: Bytes, percent: number];

/**
 * Flow sizes by their cumulative distribution, linear between its points, which is how the traffic
 * generator of the HPCC simulator reads the same files.
 */
export class SizeDistribution {
  /**
   * @param points from 0 to 100 percent, both columns rising.
   * @param where for messages, such as a file's name.
   * @throws InputError for points that are no cumulative distribution.
   */
  constructor(
    private readonly points: readonly SizePoint[],
    where: string,
  ) {
    checkPoints(points, where);
  }

  /** Mean size in bytes. */
  get mean(): Bytes {
    let sum = 0;
    this.points.forEach(([bytes, percent], i) => {
      const [bytesBefore, percentBefore] = this.points[i - 1] ?? [bytes, 0];
      sum += ((bytes + bytesBefore) / 2) * (percent - percentBefore);
    });
    return sum / 100;
  }

  /** A size of at least one byte. */
  draw(random: Random): Bytes {
    const percent = random.uniform() * 100;
    const i = this.points.findIndex((point) => point[1] > percent);
    const [bytes, upTo] = this.points[i] as SizePoint;
    const [bytesBefore, from] = this.points[i - 1] ?? [bytes, 0];
    const share = (percent - from) / (upTo - from);
    return Math.max(1, Math.round(bytesBefore + share * (bytes - bytesBefore)));
  }
}

/**
 * Lines of `bytes percent`, as the HPCC simulator's traffic generator reads; `#` begins a comment.
 * @throws InputError naming file and line.
 */
export function parseSizePoints(text: string, file: string): SizePoint[] {
  return text.split(/\r?\n/).flatMap((line, i): SizePoint[] => {
    const content = line.replace(/#.*/, '').trim();
    if (content === '') return [];
    const [bytes = NaN, percent = NaN, ...rest] = content.split(/\s+/).map(Number);
    if (Number.isFinite(bytes) && Number.isFinite(percent) && rest.length === 0) {
      return [[bytes, percent]];
    }
    throw new InputError(`${file}:${i + 1}: expected 'bytes percent', found '${content}'`);
  });
}

function checkPoints(points: readonly SizePoint[], where: string): void {
  const refuse = (what: string): never => {
    throw new InputError(`${where}: ${what}`);
  };
  const last = points.at(-1);
  if (last === undefined) return refuse('a distribution of sizes needs points');
  points.forEach(([bytes, percent], i) => {
    const [bytesBefore, percentBefore] = points[i - 1] ?? [0, 0];
    const at = `point ${i + 1} (${bytes} bytes, ${percent} %)`;
    if (bytes < bytesBefore || percent < percentBefore) {
      refuse(`${at}: bytes and percent must not fall from point to point`);
    }
  });
  if (last[1] !== 100) refuse(`the last point must be at 100 %, found ${last[1]} %`);
  if (last[0] < 1) refuse('the largest size must be at least 1 byte');
}
