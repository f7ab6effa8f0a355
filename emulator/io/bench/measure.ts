/** Operations per second: the median of several rounds of `operations` each, after a warm-up. */
export function operationsPerSecond(
  rounds: number,
  operations: number,
  run: (operations: number) => void,
): number {
  run(Math.ceil(operations / 4));
  const speeds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = process.hrtime.bigint();
    run(operations);
    speeds.push(operations / (Number(process.hrtime.bigint() - startedAt) / 1e9));
  }
  speeds.sort((a, b) => a - b);
  return Math.round(speeds[speeds.length >> 1] ?? 0);
}
