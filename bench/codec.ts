import type { Speed } from './measure';
import { measureSpeed } from './measure';
import { codecCases } from './codec-cases';
import type { CodecCase } from './codec-cases';

const PARSES = 200_000;

/** Parsing and writing of every telemetry format, with five hops where a format has hops. */
export function benchCodec(rounds: number): object {
  return Object.fromEntries(
    codecCases().map((codec) => [codec.name, benchCase(codec, rounds)] as const),
  );
}

/** The lengths are added up and compared, so that no call can be left out as useless. */
function benchCase({ bytes, parse, emit }: CodecCase, rounds: number): object {
  const parses = measureSpeed(rounds, PARSES, (count) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += parse(bytes);
    if (sum !== count * parse(bytes)) throw new Error('a codec gave different results');
  });
  const out = new Uint8Array(bytes.length);
  const emits = measureSpeed(rounds, PARSES, (count) => {
    for (let i = 0; i < count; i++) emit(out);
  });
  return { bytes: bytes.length, ...figures('parses', parses), ...figures('emits', emits) };
}

const figures = (what: string, { perSecond, perCpuSecond }: Speed): object => ({
  [`${what}PerSecond`]: perSecond,
  [`${what}PerCpuSecond`]: perCpuSecond,
});
