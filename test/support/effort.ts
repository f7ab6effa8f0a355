/** Factor by which more is tried than by default: `HPCC_EFFORT=100 ./hpcc test NAME` is a long run. */
export const EFFORT = Number(process.env.HPCC_EFFORT ?? 1);

/** The first seed of what is tried at random: `HPCC_SEED`. A failure prints the seed that repeats it. */
export const SEED = Number(process.env.HPCC_SEED ?? 1);
