/** Speed of an operation: by the wall clock, and by processor time. */
export interface Speed {
  readonly perSecond: number;
  /** Other processes on the machine disturb this less. */
  readonly perCpuSecond: number;
  /**
   * The best round by processor time. Where two processors are threads of one core, work on the
   * other one halves the rest, so this is nearest to a machine without other work.
   */
  readonly bestPerCpuSecond: number;
}

/** Operations per second: the median of several rounds of `operations` each, after a warm-up. */
export function operationsPerSecond(
  rounds: number,
  operations: number,
  run: (operations: number) => void,
): number {
  return measureSpeed(rounds, operations, run).perSecond;
}

/**
 * As {@link operationsPerSecond}, with both clocks. Processor time is that of the whole process, so
 * it holds the work of compiler and collector on other threads too.
 */
export function measureSpeed(
  rounds: number,
  operations: number,
  run: (operations: number) => void,
): Speed {
  run(Math.ceil(operations / 4));
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const cpuBefore = process.cpuUsage();
    const startedAt = process.hrtime.bigint();
    run(operations);
    wall.push(operations / (Number(process.hrtime.bigint() - startedAt) / 1e9));
    const { user, system } = process.cpuUsage(cpuBefore);
    cpu.push(operations / ((user + system) / 1e6));
  }
  const bestPerCpuSecond = Math.round(Math.max(...cpu));
  return { perSecond: median(wall), perCpuSecond: median(cpu), bestPerCpuSecond };
}

/**
 * Several loads in turns, so that what else the machine does meets all of them: the median time per
 * operation of each, in ns of the process. The first round warms up and does not count.
 */
export function measureInterleaved(
  rounds: number,
  operations: number,
  loads: readonly { run(operations: number): void }[],
): number[] {
  const times = loads.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    loads.forEach((load, i) => {
      const before = process.cpuUsage();
      load.run(operations);
      const { user, system } = process.cpuUsage(before);
      if (round > 0) times[i]?.push((1000 * (user + system)) / operations);
    });
  }
  return times.map((values) => values.sort((x, y) => x - y)[values.length >> 1] ?? NaN);
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return Math.round(values[values.length >> 1] ?? 0);
}
