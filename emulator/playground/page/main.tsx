import { render } from 'preact';
import { Playground } from './playground';
import { openedBy } from './shared-link';
import type { Opened } from './shared-link';
import { WorkerClient } from './worker-client';

const CATALOGUE = '/emulator/scenario/catalogue/';
const FIRST = 'incast16';

async function start(root: HTMLElement): Promise<void> {
  const files = JSON.parse(textOf('files')) as Record<string, string>;
  let tell: (text: string) => void = () => undefined;
  const client = new WorkerClient(textOf('worker'), files, {
    progress: (fraction, virtualUs) =>
      tell(`${Math.round(fraction * 100)} %, ${virtualUs.toFixed(0)} us of virtual time`),
    note: (text) => tell(text),
  });
  const catalogue = new Map(
    Object.entries(files)
      .filter(([name]) => name.startsWith(CATALOGUE))
      .map(([name, text]) => [name.slice(CATALOGUE.length, -'.yaml'.length), text]),
  );
  const { opened, fault } = await opening();
  const text = opened.text ?? catalogue.get(opened.name ?? FIRST);
  const unknown = text === undefined ? `There is no scenario '${opened.name}' here.` : fault;
  const wanted = {
    text: text ?? catalogue.get(FIRST) ?? '',
    seed: opened.seed ?? 1,
    algorithm: opened.algorithm,
  };
  const { isEmbedded } = opened;
  root.replaceChildren();
  render(
    <Playground
      client={client}
      choices={await client.choices()}
      catalogue={catalogue}
      wanted={wanted}
      isEmbedded={isEmbedded}
      hear={(listener) => (tell = listener)}
      {...(unknown !== undefined && { fault: unknown })}
    />,
    root,
  );
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

async function opening(): Promise<{ readonly opened: Opened; readonly fault?: string }> {
  try {
    return { opened: await openedBy(location.hash) };
  } catch (error) {
    return { opened: { isEmbedded: false }, fault: (error as Error).message };
  }
}

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

const root = document.getElementById('page');
if (root !== null) void start(root);
// Another link to this page, opened in it.
window.addEventListener('hashchange', () => location.reload());
