import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { figureAt } from '../../figures/dictionary';
import { cellText, headOf } from '../../figures/figure-text';
import { rawScale } from '../../figures/scale';
import type { RunView } from '../data/page-data';
import type { TracedMoment } from '../../result/packet-story';
import type { Moment } from './moment';
import { packetEnds, packetName } from './packet-name';
import { PacketStory } from './packet-story-view';
import { LatestRequest, Requests } from './latest-request';

interface Wanted {
  readonly fromUs: number;
  readonly lengthUs: number;
  readonly flow: number | null;
}

const SENT = figureAt('packet.sentUs');
const RECEIVED = figureAt('packet.receivedUs');
const US = rawScale(SENT);
const HEADS = ['packet', headOf(SENT, US), 'flow', 'way', 'sequence', headOf(RECEIVED, US)];

/** The instant has not changed for so long. */
const SETTLED_MS = 120;
const LENGTHS_US = [1, 5, 20, 100];

/** Values of the form: they follow the reader's instant while no field has the focus. */
function useWanted(moment: Moment, form: RefObject<HTMLFormElement | null>) {
  const { nowUs, flow: focused } = moment.look;
  const [wanted, setWanted] = useState<Wanted>({ fromUs: nowUs, lengthUs: 5, flow: focused });
  const timer = useRef(0);
  useEffect(() => {
    const take = (): void => {
      // A field must not change under the hands of who types in it, though the run plays on.
      if (isInField(form.current)) return;
      const { nowUs: now, flow } = moment.look;
      setWanted(({ lengthUs }) => ({ fromUs: Number(now.toFixed(3)), lengthUs, flow }));
    };
    const end = moment.follow((look, before) => {
      if (look.nowUs === before.nowUs && look.flow === before.flow) return;
      clearTimeout(timer.current);
      // PERF: the form and the packets need not follow each frame while the reader scrubs.
      timer.current = window.setTimeout(take, SETTLED_MS);
    });
    return () => {
      clearTimeout(timer.current);
      end();
    };
  }, [moment, form]);
  const change = (part: Partial<Wanted>): void => setWanted({ ...wanted, ...part });
  return { wanted, change };
}

/** True if a field of the form has the focus; its button does not count, nothing is typed there. */
function isInField(form: HTMLFormElement | null): boolean {
  const at = document.activeElement;
  return at instanceof HTMLElement && form?.contains(at) === true && at.tagName !== 'BUTTON';
}

/** Runs again to the reader's instant, and shows the packets of that moment. */
export function TraceView({ run, moment }: { readonly run: RunView; readonly moment: Moment }) {
  const form = useRef<HTMLFormElement>(null);
  const { wanted, change } = useWanted(moment, form);
  const [state, setState] = useState('');
  const [traced, setTraced] = useState<TracedMoment | undefined>();
  const [chosen, setChosen] = useState<number | undefined>();
  const requester = useContext(Requests);
  const request = useMemo(() => new LatestRequest(requester), [requester]);
  useEffect(() => () => request.end(), [request]);
  const travel = async (): Promise<void> => {
    setState('The run is repeated up to this moment …');
    setChosen(undefined);
    const { fromUs, lengthUs, flow } = wanted;
    moment.change({ nowUs: fromUs });
    const only = flow === null ? '' : `&flow=${flow}`;
    const path = `trace?from=${fromUs}&length=${lengthUs}${only}`;
    const answer = await request.get(path);
    if (answer === undefined) return;
    if (typeof answer === 'string') {
      setState(answer);
      return;
    }
    const found = answer.found as TracedMoment;
    setTraced(found);
    const more = found.omitted > 0 ? `, and ${found.omitted} more` : '';
    setState(`${found.packets.length} packets left in ${lengthUs} us from ${fromUs} us on${more}.`);
  };
  return (
    <section aria-labelledby="packets-title">
      <h2 id="packets-title">Packets at a moment</h2>
      <p class="caption">
        Equal runs have equal packets: the run is repeated up to the moment, and looked at there.
      </p>
      <WindowForm run={run} wanted={wanted} change={change} form={form} go={() => void travel()} />
      <p class="status" role="status">
        {state}
      </p>
      {traced !== undefined && chosen !== undefined && (
        <PacketStory traced={traced} chosen={chosen} choose={setChosen} />
      )}
      {traced !== undefined && traced.packets.length > 0 && (
        <PacketTable traced={traced} chosen={chosen} choose={setChosen} />
      )}
    </section>
  );
}

interface FormProps {
  readonly run: RunView;
  readonly wanted: Wanted;
  readonly change: (part: Partial<Wanted>) => void;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly go: () => void;
}

function WindowForm({ run, wanted, change, form, go }: FormProps) {
  // PERF: the form changes with the instant, a thousand flows do not; one element that stays the same is
  // not looked into.
  const flows = useMemo(
    () => (
      <>
        {run.flows.map(({ id, source, destination }) => (
          <option key={id} value={id}>
            {id}: {source} to {destination}
          </option>
        ))}
      </>
    ),
    [run.flows],
  );
  return (
    <form
      class="look"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <label>
        from (us)
        <input
          type="number"
          min={0}
          step="any"
          max={run.durationUs}
          value={wanted.fromUs}
          onInput={({ currentTarget }) => change({ fromUs: Number(currentTarget.value) })}
        />
      </label>
      <label>
        length (us)
        <select
          value={wanted.lengthUs}
          onChange={({ currentTarget }) => change({ lengthUs: Number(currentTarget.value) })}
        >
          {LENGTHS_US.map((us) => (
            <option key={us}>{us}</option>
          ))}
        </select>
      </label>
      <label>
        flow
        <select
          value={wanted.flow ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ flow: value === '' ? null : Number(value) })
          }
        >
          <option value="">all</option>
          {flows}
        </select>
      </label>
      <button type="submit">Go to this moment</button>
    </form>
  );
}

function PacketTable({
  traced,
  chosen,
  choose,
}: {
  readonly traced: TracedMoment;
  readonly chosen: number | undefined;
  readonly choose: (id: number) => void;
}) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Packets of this moment">
      <table>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {traced.packets.map((packet) => (
            <tr key={packet.id} class={packet.id === chosen ? 'chosen' : ''}>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={packet.id === chosen}
                  onClick={() => choose(packet.id)}
                >
                  {packetName(packet)}
                </button>
              </th>
              <td>{cellText(SENT, packet.sentUs, US)}</td>
              <td>{packet.flow ?? ''}</td>
              <td>{packetEnds(packet)}</td>
              <td>{packet.sequence ?? ''}</td>
              <td>
                {packet.receivedUs === null
                  ? 'not here'
                  : cellText(RECEIVED, packet.receivedUs, US)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
