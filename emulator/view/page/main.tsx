import { render } from 'preact';
import type { PageData, Session } from '../data/page-data';
import { App } from './app';
import { STATIC, serverSource } from './source';

/** A page carries its data in itself, or a server has them. */
async function start(root: HTMLElement): Promise<void> {
  const session = readJson('session') as Session | undefined;
  const data =
    session === undefined
      ? (readJson('data') as PageData | undefined)
      : ((await (await fetch('data')).json()) as PageData);
  if (data === undefined) throw new Error('the page has no data');
  const source = session === undefined ? STATIC : serverSource(data, session.isLive);
  root.replaceChildren();
  render(<App first={data} source={source} session={session} />, root);
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

function readJson(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text === undefined ? undefined : JSON.parse(text);
}

const root = document.getElementById('page');
if (root !== null) void start(root);
