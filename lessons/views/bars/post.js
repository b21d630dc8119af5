// News for the program: the first goes at once, the next when the answer is back; of what piles up only the last goes.

const PATIENCE_MS = 300;

export class Post {
  constructor(deliver) {
    Object.assign(this, { deliver, waiting: null, timer: null });
  }

  /** Send what `news()` says when its turn comes. */
  send(news) {
    this.waiting = news;
    if (!this.timer) this.go();
  }

  go() {
    const news = this.waiting();
    this.waiting = null;
    this.timer = setTimeout(() => this.echoed(), PATIENCE_MS);
    this.deliver(news);
  }

  /** The program has answered, or has been waited for long enough. */
  echoed() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.waiting) this.go();
  }

  stop() {
    clearTimeout(this.timer);
    this.waiting = null;
  }
}
