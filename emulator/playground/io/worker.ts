/**
 * The playground's worker: runs a scenario in virtual time and answers what the page asks of the run. Its
 * bundle is the emulator, the controller and the switches as they are on Node, with stand-ins for Node's
 * modules and for gRPC's sockets.
 */
import { failureText, InputError } from '../../../common/errors';
import { ALGORITHMS } from '../../../host-agent/algorithm/library/algorithms';
import { profileOf } from '../../network/switch-hardware';
import { expandTopology } from '../../scenario/expand-topology';
import { PROFILES } from '../../scenario/data-plane-schema';
import { parseScenario } from '../../scenario/schema';
import type { ScenarioDocument } from '../../scenario/schema';
import { runScenario } from '../../io/run-scenario';
import { finishedRun } from '../../view/server/finished-run';
import { sessionAnswer } from '../../view/server/session-answers';
import type { ViewSession } from '../../view/server/view-session';
import { withWorkloadFiles } from '../../io/inputs/workload-files';
import { addFiles } from './files';
import type { Choices, FromWorker, RunAnswer, ToWorker, Wanted } from './messages';
import { listenToNotes } from './terminal';
import { loadAlgorithm, setAlgorithmText } from './load-algorithm';

interface WorkerScope {
  postMessage(message: FromWorker): void;
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
}

const scope = globalThis as unknown as WorkerScope;

let session: ViewSession | undefined;
let stop = new AbortController();
/** Questions that repeat the run, by the page's numbers. */
const questions = new Map<number, AbortController>();

listenToNotes((text) => scope.postMessage({ kind: 'note', text }));

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case 'files':
      addFiles(data.files);
      break;
    case 'choices':
      answering(data.id, (): Choices => ({ algorithms: ALGORITHMS, profiles: PROFILES }));
      break;
    case 'programs':
      answering(data.id, () => programsOf(data));
      break;
    case 'run':
      answering(data.id, () => run(data));
      break;
    case 'ask':
      answering(data.id, (signal) => ask(data.path, signal));
      break;
    case 'stop':
      if (data.id === undefined) stop.abort();
      else questions.get(data.id)?.abort();
      break;
  }
};

/** Name of the edited scenario in messages. */
const NAME = 'scenario';

function answering(id: number, answer: (signal: AbortSignal) => unknown): void {
  const question = new AbortController();
  questions.set(id, question);
  Promise.resolve()
    .then(() => answer(question.signal))
    .then(
      (found) => scope.postMessage({ kind: 'answer', id, found }),
      (error: unknown) => {
        const isInput = error instanceof InputError;
        const text = isInput ? error.message : failureText(error);
        scope.postMessage({ kind: 'refusal', id, text });
      },
    )
    .finally(() => questions.delete(id));
}

/** Names of the P4 programs that the switches of a scenario run, each once. */
async function programsOf(wanted: Wanted): Promise<string[]> {
  const scenario = await scenarioOf(wanted);
  const { switches } = expandTopology(scenario.topology);
  return [...new Set(switches.map((name) => profileOf(scenario, name)))];
}

/** The scenario, whose algorithm can then be named. @throws InputError. */
async function scenarioOf({ text, algorithm }: Wanted): Promise<ScenarioDocument> {
  setAlgorithmText(algorithm);
  const scenario = withWorkloadFiles(parseScenario(text, NAME), '/');
  await loadAlgorithm(scenario.parameters.algorithm);
  return scenario;
}

async function run(wanted: Wanted): Promise<RunAnswer> {
  const { seed } = wanted;
  stop.abort();
  stop = new AbortController();
  session = undefined;
  const scenario = await scenarioOf(wanted);
  const { result, wallSeconds } = await runScenario({
    scenario,
    seed,
    signal: stop.signal,
    onProgress: ({ fraction, virtualUs }) =>
      scope.postMessage({ kind: 'progress', fraction, virtualUs }),
  });
  const repeat = { scenario, seed };
  const command = `./hpcc run ${scenario.name}.yaml --seed ${seed}`;
  session = finishedRun({ name: scenario.name, result, repeat }, { command });
  return {
    page: session.page(),
    ability: session.ability,
    wallSeconds,
    // The very text of the file that `hpcc run` writes.
    resultText: `${JSON.stringify(result, null, 1)}\n`,
  };
}

function ask(path: string, signal: AbortSignal): unknown {
  const [name = '', query = ''] = path.split('?');
  const answer = sessionAnswer(name);
  if (session === undefined || answer === undefined) {
    throw new InputError('there is no run to ask about');
  }
  return answer(session, new URLSearchParams(query), (repeated) => repeated(signal));
}
