/** Factor by which more is tried than by default: `HPCC_EFFORT=100 ./hpcc test NAME` is a long run. */
export const EFFORT = Number(process.env.HPCC_EFFORT ?? 1);

/** The first seed of what is tried at random: `HPCC_SEED`. A failure prints the seed that repeats it. */
export const SEED = Number(process.env.HPCC_SEED ?? 1);

/** Number of random cases: half of `count` by default, and `count` for each unit of HPCC_EFFORT from 2 on. */
export const casesOf = (count: number): number =>
  Math.ceil(EFFORT > 1 ? count * EFFORT : count / 2);
