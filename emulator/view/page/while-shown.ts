/**
 * Updates of something that the browser draws only near what the reader sees: those of what is far away
 * wait, and of several with one name the last one counts. Where a browser does not tell, none waits.
 */
export class WhileShown {
  readonly #section: Element | null;
  readonly #waiting = new Map<string, () => void>();
  #isShown = true;

  /** @param element lies in the section that the browser skips. */
  constructor(element: Element) {
    this.#section = element.closest('section');
    this.#section?.addEventListener(CHANGE, this.#changed);
    window.addEventListener('beforeprint', this.#catchUp);
  }

  run(name: string, update: () => void): void {
    if (this.#isShown) update();
    else this.#waiting.set(name, update);
  }

  end(): void {
    this.#section?.removeEventListener(CHANGE, this.#changed);
    window.removeEventListener('beforeprint', this.#catchUp);
  }

  readonly #changed = (event: Event): void => {
    if (event.target !== this.#section) return;
    this.#isShown = !(event as ContentVisibilityAutoStateChangeEvent).skipped;
    if (this.#isShown) this.#catchUp();
  };

  readonly #catchUp = (): void => {
    const updates = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const update of updates) update();
  };
}

const CHANGE = 'contentvisibilityautostatechange';
