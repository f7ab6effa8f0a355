import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const KEY = 'hpcc-open';

/** Titles of what the reader has opened on this page, and keeps open while it is loaded again. */
function opened(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(placeKey()) ?? '[]') as string[]);
  } catch {
    // Some browsers keep nothing for files.
    return new Set();
  }
}

const placeKey = (): string => `${KEY} ${location.pathname}`;

function keep(title: string, isOpen: boolean): void {
  const all = new Set(opened());
  if (isOpen) all.add(title);
  else all.delete(title);
  try {
    sessionStorage.setItem(placeKey(), JSON.stringify([...all]));
  } catch {
    // What is not kept is folded when the page is loaded again.
  }
}

/** Details of one subject, folded until the reader opens them; printing opens them. */
export function Fold({
  title,
  what,
  children,
}: {
  readonly title: string;
  /** Names of its content. */
  readonly what: string;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(() => opened().has(title));
  return (
    <details
      class="fold"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.dataset['printing'] !== undefined) return;
        setOpen(currentTarget.open);
        keep(title, currentTarget.open);
      }}
    >
      <summary>
        <h2>{title}</h2> <span class="what">{what}</span>
      </summary>
      <div class="folded">{children}</div>
    </details>
  );
}

const FOLDED = '.fold:not([open]), .printed:not([open])';

/** Opens all subjects, and what is printed, for as long as the page is printed, before anything else hears of it. */
export function useOpenInPrint(): void {
  useEffect(() => {
    const open = (): void => {
      for (const each of document.querySelectorAll<HTMLDetailsElement>(FOLDED)) {
        each.dataset['printing'] = '';
        each.open = true;
      }
    };
    const close = (): void => {
      for (const each of document.querySelectorAll<HTMLDetailsElement>('[data-printing]')) {
        each.open = false;
        // Its own event comes later.
        setTimeout(() => delete each.dataset['printing'], 0);
      }
    };
    window.addEventListener('beforeprint', open, { capture: true });
    window.addEventListener('afterprint', close, { capture: true });
    return () => {
      window.removeEventListener('beforeprint', open, { capture: true });
      window.removeEventListener('afterprint', close, { capture: true });
    };
  }, []);
}
