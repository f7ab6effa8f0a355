// How soon flows that join others have their shares: `judged.slowestFairUs` is the longest time from a
// join until Jain's index is at least 0.99 and stays there until the next one, by samples of 50 us.
const FAIR = 0.99;

exports.judge = ({ result }) => {
  const joins = [...new Set(result.flows.map(({ startUs }) => startUs))].filter((at) => at > 0);
  const times = joins.map((join, i) => {
    const next = joins[i + 1] ?? Infinity;
    const after = result.jainTimeline.filter(({ startUs }) => startUs >= join && startUs < next);
    const lastUnfair = after.findLastIndex(({ jain }) => jain < FAIR);
    // Never, where the last sample before the next join is not fair.
    return (after[lastUnfair + 1]?.startUs ?? join + 1000) - join;
  });
  return { slowestFairUs: Math.max(...times) };
};
