// Figures of flows by their size, as the reference runs of the HPCC simulator have them: slowdowns of at
// most 10 KB, up to 100 KB, up to 1 MB, and beyond. A study names it as its judge, and below `judged` are
// tiny, small, medium and large, each with P50, P95, P99 and P999.
const SIZES = [
  ['tiny', 0, 1e4],
  ['small', 1e4, 1e5],
  ['medium', 1e5, 1e6],
  ['large', 1e6, Infinity],
];
const QUANTILES = { P50: 0.5, P95: 0.95, P99: 0.99, P999: 0.999 };

const quantile = (sorted, share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];

exports.judge = ({ result }) => {
  const unfinished = result.flows.filter(({ slowdown }) => slowdown === null).length;
  if (unfinished > 0) throw new Error(`${unfinished} flows have not finished`);
  const figures = {};
  for (const [name, above, upTo] of SIZES) {
    const flows = result.flows.filter(({ bytes }) => bytes > above && bytes <= upTo);
    const slowdowns = flows.map(({ slowdown }) => slowdown).sort((a, b) => a - b);
    figures[`${name}Flows`] = slowdowns.length;
    if (slowdowns.length === 0) continue;
    for (const [quantileName, share] of Object.entries(QUANTILES)) {
      figures[name + quantileName] = quantile(slowdowns, share);
    }
  }
  return figures;
};
