import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { FirstDifference } from '../../result/packet-story';
import type { Moment } from './moment';
import { LatestRequest, Requests } from './latest-request';
import { Table } from './sections';

/** Runs both again, event by event, until they differ. */
export function DifferenceView({ moment }: { readonly moment: Moment }) {
  const [state, setState] = useState('');
  const [found, setFound] = useState<FirstDifference | null>(null);
  const requester = useContext(Requests);
  const request = useMemo(() => new LatestRequest(requester), [requester]);
  useEffect(() => () => request.end(), [request]);
  const find = async (): Promise<void> => {
    setState('Both runs are repeated …');
    const answer = await request.get('difference');
    if (answer === undefined) return;
    if (typeof answer === 'string') {
      setState(answer);
      return;
    }
    const difference = answer.found as FirstDifference | null;
    setFound(difference);
    const [first] = difference?.events ?? [];
    if (first !== null && first !== undefined) moment.change({ nowUs: first.atUs });
    setState(
      difference === null
        ? 'The runs are equal, packet for packet.'
        : `${difference.equal} events are equal; then the runs part.`,
    );
  };
  const rows = (found?.events ?? []).map((event, i) => [
    i === 0 ? 'this run' : 'the other',
    event === null ? 'is over' : event.atUs.toFixed(5),
    event?.what ?? '',
    event === null ? '' : event.digest.toString(16).padStart(8, '0'),
  ]);
  return (
    <section aria-labelledby="difference-title">
      <h2 id="difference-title">First difference</h2>
      <p class="made">
        <button type="button" onClick={() => void find()}>
          Find where the runs part
        </button>
      </p>
      <p class="status" role="status">
        {state}
      </p>
      {rows.length > 0 && (
        <Table
          rows={[['run', 'us', 'what', 'digest of its bytes'], ...rows]}
          title="Events at the first difference"
        />
      )}
    </section>
  );
}
