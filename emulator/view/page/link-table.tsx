import { flushSync } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { figureAt } from '../../figures/dictionary';
import { figureText } from '../../figures/figure-text';
import type { Network } from '../network/network';
import { at, intervalAt } from '../network/network-index';
import type { ShownLink } from '../network/network-index';
import type { Moment } from './moment';

const LINKS_SHOWN = 8;
const LOAD = figureAt('live.load');
const QUEUE = figureAt('timelines.links.*.queuePeakBytes.*');

/** The busiest directions of links at the reader's instant, in words. */
export function LinkTable({
  title,
  links,
  network,
  moment,
  show,
}: {
  readonly title: string;
  readonly links: readonly ShownLink[];
  readonly network: Network;
  readonly moment: Moment;
  /** Shows the picture of a link; absent: all are in one. */
  readonly show?: (name: string, group: number) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [interval, setInterval] = useState(intervalAt(network, moment.look.nowUs));
  useEffect(() => {
    const look = (): void => setInterval(intervalAt(network, moment.look.nowUs));
    // Paper is printed as soon as all have heard of it.
    const print = (): void => flushSync(look);
    window.addEventListener('beforeprint', print);
    const ends = [() => window.removeEventListener('beforeprint', print)];
    // PERF: what is folded does not follow time.
    if (isOpen) {
      look();
      ends.push(moment.follow(look));
    }
    return () => ends.forEach((end) => end());
  }, [network, moment, isOpen]);
  const busiest = links
    .filter(({ series }) => series !== undefined && series.load.length === network.intervals)
    .map(({ name, group, series }) => ({ name, group, ...at(series, interval) }))
    .sort((a, b) => b.queueBytes - a.queueBytes || b.load - a.load)
    .slice(0, LINKS_SHOWN);
  return (
    <details class="printed" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {network.withoutTime > 0 && (
        <p>Links that are dashed are not among them: nobody knows their instants.</p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">link</th>
            <th scope="col">load</th>
            <th scope="col">queue</th>
          </tr>
        </thead>
        <tbody>
          {busiest.map(({ name, group, load, queueBytes }) => (
            <tr key={name}>
              <th scope="row">
                {show === undefined ? (
                  name
                ) : (
                  <button type="button" onClick={() => show(name, group)}>
                    {name}
                  </button>
                )}
              </th>
              <td>{figureText(LOAD, load / 1000)}</td>
              <td>{figureText(QUEUE, queueBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
