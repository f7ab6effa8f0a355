import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { App } from '../../view/page/app';
import { Requests } from '../../view/page/latest-request';
import { serverSource } from '../../view/page/source';
import type { Choices, RunAnswer, Wanted } from '../io/messages';
import { EDITED_ALGORITHM, knobsOf } from './knobs';
import type { Knob } from './knobs';
import { linkHash } from './shared-link';
import type { WorkerClient } from './worker-client';

/** State of the page when it opens. */
export interface Start {
  readonly client: WorkerClient;
  readonly choices: Choices;
  /** Texts of the scenarios that come with the project, by name. */
  readonly catalogue: ReadonlyMap<string, string>;
  readonly wanted: Wanted;
  readonly isEmbedded: boolean;
  /** Hands over what the worker says of a run. */
  readonly hear: (progress: (text: string) => void) => void;
  /** A fault of the link that opened the page. */
  readonly fault?: string;
}

interface Shown {
  readonly answer: RunAnswer;
  /** Tells one run from the next, whose views begin anew. */
  readonly number: number;
}

/** Edits a scenario, runs it in the worker, and shows the result as `hpcc view` does. */
export function Playground(start: Start) {
  const { client, choices, catalogue, isEmbedded, hear, fault = '' } = start;
  const [wanted, setWanted] = useState<Wanted>(start.wanted);
  const [status, setStatus] = useState(fault);
  const [isRunning, setRunning] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const change = (part: Partial<Wanted>): void => setWanted({ ...wanted, ...part });
  useEffect(() => hear(setStatus), [hear]);
  const run = async (): Promise<void> => {
    setRunning(true);
    setStatus('Setting up the switches …');
    const usesEdited = wanted.text.includes(EDITED_ALGORITHM);
    const algorithm = usesEdited ? (wanted.algorithm ?? SAMPLE) : undefined;
    const answer = await client.run({ ...wanted, algorithm });
    setRunning(false);
    if (typeof answer === 'string') {
      setStatus(answer);
      return;
    }
    const { wallSeconds } = answer;
    setStatus(`Done in ${wallSeconds.toFixed(1)} s, in this browser.`);
    setShown((before) => ({ answer, number: (before?.number ?? 0) + 1 }));
    document.documentElement.dataset['runs'] = String((shown?.number ?? 0) + 1);
  };
  useEffect(() => {
    // Somebody else's algorithm waits until the reader says so.
    if (isEmbedded && !wanted.text.includes(EDITED_ALGORITHM)) void run();
  }, []);
  return (
    <main class="playground">
      <header>
        <h1>{isEmbedded ? 'Live run' : 'HPCC++ playground'}</h1>
        {!isEmbedded && (
          <p class="sub">
            The emulator, the controller and the compiled P4 program run in this page, in virtual
            time; nothing is sent anywhere. The same scenario gives the same{' '}
            <code>result.json</code> as <code>hpcc run</code>.
          </p>
        )}
      </header>
      <section aria-label="Scenario">
        {!isEmbedded && <ScenarioField wanted={wanted} catalogue={catalogue} change={change} />}
        <Knobs wanted={wanted} choices={choices} change={change} />
        {wanted.text.includes(EDITED_ALGORITHM) && (
          <AlgorithmField text={wanted.algorithm ?? SAMPLE} change={change} />
        )}
        <p class="made">
          <button type="button" class="play" disabled={isRunning} onClick={() => void run()}>
            Run
          </button>{' '}
          <button type="button" disabled={!isRunning} onClick={() => client.stop()}>
            Stop
          </button>{' '}
          <ShareLink wanted={wanted} isEmbedded={isEmbedded} setStatus={setStatus} />{' '}
          {shown !== undefined && <Download text={shown.answer.resultText} />}
        </p>
        <p class="status run-status" role="status">
          {status}
        </p>
      </section>
      {shown !== undefined && <RunViews key={shown.number} client={client} {...shown.answer} />}
    </main>
  );
}

/** The views of one run, which ask the worker for more. */
function RunViews({ client, page, ability }: RunAnswer & { readonly client: WorkerClient }) {
  const source = useMemo(() => serverSource(page, false, client.request), [page]);
  return (
    <Requests.Provider value={client.request}>
      <App first={page} source={source} session={ability} isPart />
    </Requests.Provider>
  );
}

interface FieldProps {
  readonly wanted: Wanted;
  readonly change: (part: Partial<Wanted>) => void;
}

function ScenarioField({
  wanted,
  catalogue,
  change,
}: FieldProps & { readonly catalogue: ReadonlyMap<string, string> }) {
  const found = [...catalogue].find(([, text]) => text === wanted.text)?.[0] ?? '';
  return (
    <>
      <label>
        start from{' '}
        <select
          value={found}
          onChange={({ currentTarget: { value } }) =>
            change({ text: catalogue.get(value) ?? wanted.text })
          }
        >
          <option value="" disabled>
            edited
          </option>
          {[...catalogue.keys()].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label class="text">
        scenario (YAML)
        <textarea
          rows={16}
          spellcheck={false}
          value={wanted.text}
          onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      </label>
    </>
  );
}

function Knobs({ wanted, choices, change }: FieldProps & { readonly choices: Choices }) {
  const knobs = useMemo(() => knobsOf(wanted.text, choices), [wanted.text, choices]);
  return (
    <div class="knobs">
      {knobs.map((knob) => (
        <KnobField key={knob.label} knob={knob} change={(text) => change({ text })} />
      ))}
      <label>
        seed{' '}
        <input
          type="number"
          min={0}
          step={1}
          value={wanted.seed}
          onChange={({ currentTarget }) =>
            change({ seed: Math.trunc(Number(currentTarget.value)) })
          }
        />
      </label>
    </div>
  );
}

function KnobField({
  knob,
  change,
}: {
  readonly knob: Knob;
  readonly change: (text: string) => void;
}) {
  const { label, choices, value, changed } = knob;
  const take = (next: string): void => change(changed(next));
  return (
    <label>
      {label}{' '}
      {choices === undefined ? (
        <input
          type="number"
          step="any"
          placeholder="default"
          value={value}
          onChange={({ currentTarget }) => take(currentTarget.value)}
        />
      ) : (
        <select value={value} onChange={({ currentTarget }) => take(currentTarget.value)}>
          <option value="">default</option>
          {choices.map((name) => (
            <option key={name} value={name}>
              {name === EDITED_ALGORITHM ? 'edited here' : name}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}

function AlgorithmField({
  text,
  change,
}: {
  readonly text: string;
  readonly change: FieldProps['change'];
}) {
  return (
    <label class="text">
      algorithm (JavaScript module)
      <textarea
        rows={20}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => change({ algorithm: currentTarget.value })}
      />
    </label>
  );
}

/** A link to this page that holds the whole scenario. */
function ShareLink({
  wanted,
  isEmbedded,
  setStatus,
}: {
  readonly wanted: Wanted;
  readonly isEmbedded: boolean;
  readonly setStatus: (text: string) => void;
}) {
  const address = useRef('');
  const [href, setHref] = useState('#');
  useEffect(() => {
    void linkHash(wanted).then((hash) => {
      address.current = `${location.href.replace(/#.*/, '')}${hash}`;
      setHref(address.current);
    });
  }, [wanted]);
  if (isEmbedded) {
    return (
      <a href={href} target="_blank" rel="noopener">
        Open in the playground
      </a>
    );
  }
  const copy = (): void => {
    navigator.clipboard.writeText(address.current).then(
      () => setStatus('The link is copied: it holds the whole scenario.'),
      () => setStatus('The browser does not let this page copy: take the link from "Link".'),
    );
  };
  return (
    <>
      <button type="button" onClick={copy}>
        Copy link
      </button>{' '}
      <a href={href}>Link</a>
    </>
  );
}

function Download({ text }: { readonly text: string }) {
  const href = useMemo(
    () => URL.createObjectURL(new Blob([text], { type: 'application/json' })),
    [text],
  );
  useEffect(() => () => URL.revokeObjectURL(href), [href]);
  return (
    <a href={href} download="result.json">
      result.json
    </a>
  );
}

/** First text of the field of an own algorithm. */
const SAMPLE = `// Additive increase, multiplicative decrease on queueing that telemetry shows.
export const signals = { telemetry: 'hops' };
export const constants = { targetBytes: 20000, decrease: 0.3 };

export function create({ linkRate, baseRtt, segmentBytes }, { targetBytes, decrease }) {
  const windowMax = (linkRate * baseRtt) / 8e12; // bits/s times ps
  let windowBytes = windowMax;
  let heldUntil = -1; // once per round trip
  return {
    get windowBytes() {
      return windowBytes;
    },
    get pacingRate() {
      return Math.min(linkRate, (8e12 * windowBytes) / baseRtt);
    },
    onAck({ ackSequence, nextSequence, telemetry }) {
      const queue = Math.max(0, ...telemetry.map(({ queueBytes }) => queueBytes));
      if (queue <= targetBytes) {
        windowBytes = Math.min(windowMax, windowBytes + (segmentBytes * segmentBytes) / windowBytes);
      } else if (ackSequence > heldUntil) {
        windowBytes = Math.max(segmentBytes / 100, windowBytes * (1 - decrease));
        heldUntil = nextSequence;
      }
    },
    onLoss({ nextSequence }) {
      windowBytes = Math.max(segmentBytes / 100, windowBytes / 2);
      heldUntil = nextSequence;
    },
  };
}
`;
