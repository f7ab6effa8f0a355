import type { Result } from '../../result/result';

/** Contradictions within a result, which its schema cannot find: a line per place. */
export function resultFaults(result: Result): string[] {
  return [
    ...amountFaults(result),
    ...linkFaults(result),
    ...seriesFaults(result),
    ...timelineFaults(result),
    ...flowFaults(result),
  ];
}

/** Lists longer than any run makes them would stop a browser. */
const VALUES_MAX = 2 ** 22;

/** Faults of amounts: below 0, or above any plausible recording. */
function amountFaults({ durationUs, queueTimeline, flows, links }: Result): string[] {
  const amounts: (readonly [string, number | null])[] = [
    ['durationUs', durationUs],
    ['queueTimeline.startUs', queueTimeline.startUs],
    ...flows.flatMap(({ bytes, startUs, fctUs }, i) => [
      [`flows.${i}.bytes`, bytes] as const,
      [`flows.${i}.startUs`, startUs] as const,
      [`flows.${i}.fctUs`, fctUs] as const,
    ]),
  ];
  const below = amounts
    .filter(([, value]) => value !== null && value < 0)
    .map(([at, value]) => `${at}: ${value ?? ''}, expected at least 0`);
  const positive: (readonly [string, number])[] = [
    ['queueTimeline.intervalUs', queueTimeline.intervalUs],
    ...links.map(({ rateGbps }, i) => [`links.${i}.rateGbps`, rateGbps] as const),
  ];
  const none = positive
    .filter(([, value]) => value <= 0)
    .map(([at, value]) => `${at}: ${value}, expected more than 0`);
  const count = queueTimeline.bytes.length;
  const long =
    count > VALUES_MAX
      ? [`queueTimeline.bytes: ${count} values, expected ${VALUES_MAX} at most`]
      : [];
  return [...below, ...none, ...long];
}

function linkFaults({ links, bottleneck, queueTimeline }: Result): string[] {
  const names = new Set(links.map(({ name }) => name));
  return [
    ['bottleneck.link', bottleneck.link] as const,
    ['queueTimeline.link', queueTimeline.link] as const,
  ]
    .filter(([, link]) => !names.has(link))
    .map(([at, link]) => `${at}: '${link}' is none of the links`);
}

function seriesFaults({ series }: Result): string[] {
  return series.flatMap((one, i) => {
    const { flow: _flow, timeUs, ...values } = one;
    const at = `series.${i}`;
    const lengths = Object.entries(values)
      .filter(([, each]) => each.length !== timeUs.length)
      .map(([name, each]) => lengthFault(`${at}.${name}`, each.length, timeUs.length));
    const back = timeUs.findIndex((us, j) => j > 0 && us < (timeUs[j - 1] as number));
    return back < 0
      ? lengths
      : [...lengths, `${at}.timeUs.${back}: ${timeUs[back] ?? ''} goes back in time`];
  });
}

function timelineFaults({ timelines, links }: Result): string[] {
  if (timelines === undefined) return [];
  const count = timelines.droppedPackets.length;
  if (count * Math.max(1, links.length) > VALUES_MAX) {
    return [`timelines.droppedPackets: ${count} values are more than any run has`];
  }
  const names = timelines.links.flatMap(({ name }, i) =>
    name === links[i]?.name
      ? []
      : [`timelines.links.${i}.name: '${name}', expected '${links[i]?.name ?? 'no link'}'`],
  );
  const lengths = timelines.links.flatMap(({ sentBytes, queuePeakBytes }, i) => [
    ...(sentBytes.length === count
      ? []
      : [lengthFault(`timelines.links.${i}.sentBytes`, sentBytes.length, count)]),
    ...(queuePeakBytes.length === count
      ? []
      : [lengthFault(`timelines.links.${i}.queuePeakBytes`, queuePeakBytes.length, count)]),
  ]);
  const feedback = timelines.feedbackPackets.length;
  const other =
    feedback === count ? [] : [lengthFault('timelines.feedbackPackets', feedback, count)];
  return [...names, ...lengths, ...other];
}

const lengthFault = (at: string, found: number, wanted: number): string =>
  `${at}: ${found} values, expected ${wanted}`;

function flowFaults({ flows, topology }: Result): string[] {
  const hosts = new Set(topology.nodes.map(({ name }) => name));
  const seen = new Set<number>();
  return flows.flatMap(({ id, source, destination }, i) => {
    const isAgain = seen.has(id);
    seen.add(id);
    const strange = [source, destination].filter((name) => !hosts.has(name));
    return [
      ...(isAgain ? [`flows.${i}.id: ${id} is there twice`] : []),
      ...strange.map((name) => `flows.${i}: '${name}' is no node of the topology`),
    ];
  });
}
