import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DrawnNode, Network, NetworkGroup } from '../network/network';
import type { RunView } from '../data/page-data';
import { LinkTable } from './link-table';
import { NetworkIndex, endsOf } from '../network/network-index';
import { NetworkPicture, countText } from './network-picture';
import { NetworkSearch } from './network-search';
import { LOAD_STEPS, loadStyle } from './palette';
import type { Moment } from './moment';

/** The network at the reader's instant: the whole of it, or the inside of a group that was opened. */
export function NetworkView({ run, moment }: { readonly run: RunView; readonly moment: Moment }) {
  const { network, flows } = run;
  const [place, setPlace] = useState(0);
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState(moment.look.flow);
  useEffect(() => moment.follow(({ flow }) => setChosen(flow)), [moment]);
  const here = useRef<HTMLSpanElement>(null);
  const index = useMemo(() => new NetworkIndex(network), [network]);
  const flow = flows.find(({ id }) => id === chosen);
  const ends = flow === undefined ? [] : [flow.source, flow.destination];
  const outstanding = [...marked, ...ends];
  const around = new Set(outstanding.flatMap((name) => index.wayTo(index.homeOf(name) ?? 0)));
  const isMarked = ({ name, group: inside }: DrawnNode): boolean =>
    outstanding.includes(name) || (inside !== undefined && around.has(inside));
  const group = (network.groups[place] ?? network.groups[0]) as NetworkGroup;
  const go = (to: number, names: readonly string[] = []): void => {
    setPlace(to);
    setMarked(names);
  };
  const isFirst = useRef(true);
  useEffect(() => {
    // The button that was pressed is gone.
    if (!isFirst.current) here.current?.focus();
    isFirst.current = false;
  }, [place]);
  const isLarge = network.groups.length > 1;
  return (
    <section aria-labelledby="network-title">
      <h2 id="network-title">Network</h2>
      {isLarge && (
        <nav class="way" aria-label="Place in the network">
          {index.wayTo(place).map((each) =>
            each === place ? (
              <span key={each} ref={here} tabIndex={-1} aria-current="location">
                {network.groups[each]?.name} ({countText(group)})
              </span>
            ) : (
              <button type="button" key={each} onClick={() => go(each)}>
                {network.groups[each]?.name}
              </button>
            ),
          )}
        </nav>
      )}
      <NetworkPicture
        key={place}
        network={network}
        group={group}
        moment={moment}
        isMarked={isMarked}
        open={go}
      />
      {isLarge && (
        <div class="made">
          <NetworkSearch index={index} go={({ group: to, names }) => go(to, names)} />
          <LongestQueue network={network} index={index} moment={moment} go={go} />
          {ends.map((name, i) => (
            <button type="button" key={i} onClick={() => go(index.homeOf(name) ?? 0, [name])}>
              {i === 0 ? `Source of flow ${chosen}` : 'Its destination'}: {name}
            </button>
          ))}
        </div>
      )}
      <LoadLegend />
      <p class="caption">
        Links by load, a line per direction; a bar at a port is the queue that waits there.
        {isLarge &&
          ' A group opens at a click: its frame is its fullest link, its bar its longest queue. ×n are n links, drawn as the fullest.'}
        {network.withoutTime > 0 &&
          ` Dashed lines: ${network.withoutTime} of ${network.series} have their average and longest queue of the whole run only, for the page has no room for more.`}
      </p>
      <LinkTable
        title="The busiest ports at this instant, in words"
        links={index.links}
        network={network}
        moment={moment}
        {...(isLarge && { show: (name: string, to: number) => go(to, endsOf(name)) })}
      />
    </section>
  );
}

/** Goes to the link whose queue was the longest of the run, and to that moment. */
function LongestQueue({
  network,
  index,
  moment,
  go,
}: {
  readonly network: Network;
  readonly index: NetworkIndex;
  readonly moment: Moment;
  readonly go: (group: number, names: readonly string[]) => void;
}) {
  const longest = useMemo(() => {
    const peaks = index.links.map((link) => Math.max(0, ...(link.series?.queueBytes ?? [])));
    const bytes = Math.max(0, ...peaks);
    return { bytes, link: index.links[peaks.indexOf(bytes)] };
  }, [index]);
  const { bytes, link } = longest;
  if (link === undefined || bytes === 0) return null;
  const [from, to] = endsOf(link.name);
  const show = (): void => {
    const interval = link.series?.queueBytes.indexOf(bytes) ?? 0;
    moment.change({ nowUs: (interval + 0.5) * network.intervalUs });
    go(link.group, endsOf(link.name));
  };
  return (
    <button type="button" onClick={show}>
      Longest queue: {from} to {to}, {(bytes / 1000).toFixed(1)} KB
    </button>
  );
}

const LoadLegend = () => (
  <ul class="legend loads" aria-label="Load of links">
    {LOAD_STEPS.map(([load, text]) => {
      const { color, width } = loadStyle(load);
      return (
        <li key={text}>
          <svg class="swatch" viewBox="0 0 20 8" width="20" height="8" aria-hidden="true">
            <line x1={0} y1={4} x2={20} y2={4} stroke={color} stroke-width={width} />
          </svg>
          {text}
        </li>
      );
    })}
    <li>
      <svg class="swatch" viewBox="0 0 20 8" width="20" height="8" aria-hidden="true">
        <line class="waiting" x1={0} y1={4} x2={20} y2={4} />
      </svg>
      queue
    </li>
  </ul>
);
