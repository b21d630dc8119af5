// Time: which step is shown, how far the next one has come, and whether it plays. It draws nothing.

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64, 128];
const WHOLE_SCENE_MS = 100000;

/** A player over `picture.steps` steps; `changed(k, t)` is called whenever what is shown changes. */
export class Player {
  constructor(picture, start, glides, changed) {
    Object.assign(this, {
      picture,
      glides,
      changed,
      k: start,
      spent: 0,
      playing: false,
      gliding: false,
      speed: 1,
      last: 0,
    });
    this.seek(start);
    this.speed = this.comfortable();
  }

  /** The lowest speed that plays the whole scene in reasonable time. */
  comfortable() {
    let total = 0;
    for (let k = 1; k <= Math.min(this.picture.steps, 400); k++) total += this.picture.ms(k);
    total *= Math.max(1, this.picture.steps / 400);
    return SPEEDS.find((speed) => speed >= 1 && total / speed <= WHOLE_SCENE_MS) || SPEEDS[SPEEDS.length - 1];
  }

  /** A new picture of the same or another scene: the step is kept where it exists, and playing goes on. */
  follow(picture) {
    this.picture = picture;
    if (this.k > picture.steps) this.seek(picture.steps);
    else this.changed(this.k, this.share());
  }

  share() {
    return this.spent > 0 && this.k < this.picture.steps
      ? Math.min(this.spent / this.picture.ms(this.k + 1), 0.9999)
      : 0;
  }

  seek(k) {
    this.k = Math.max(0, Math.min(this.picture.steps, Math.round(k) || 0));
    this.spent = 0;
    this.gliding = false;
    this.changed(this.k, 0);
  }

  pause() {
    this.playing = false;
    this.changed(this.k, this.share());
  }

  toggle() {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.k >= this.picture.steps) this.seek(0);
    this.playing = true;
    this.run();
    this.changed(this.k, this.share());
  }

  /**
   * One step on, gliding; pressed again on the way, it lands at once and sets out on the next. A step that playing or
   * a pause has left half done is finished first.
   */
  next() {
    this.playing = false;
    if (this.gliding) this.seek(this.k + 1);
    if (this.k >= this.picture.steps) return;
    if (!this.glides()) {
      this.seek(this.k + 1);
      return;
    }
    this.gliding = true;
    this.run();
  }

  previous() {
    this.playing = false;
    this.seek(this.spent > 0 ? this.k : this.k - 1);
  }

  jump(k) {
    this.playing = false;
    this.seek(k);
  }

  run() {
    if (this.frame) return;
    this.last = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  /** One frame: time passes at the chosen speed; as many steps end as fit into it. */
  tick(now) {
    this.frame = null;
    if (!this.playing && !this.gliding) return;
    this.spent += Math.min(now - this.last, 100) * this.speed;
    this.last = now;
    this.land();
    this.changed(this.k, this.glides() ? this.share() : 0);
    if (this.playing || this.gliding) this.frame = requestAnimationFrame((later) => this.tick(later));
  }

  land() {
    while (this.k < this.picture.steps && this.spent >= this.picture.ms(this.k + 1)) {
      this.spent -= this.picture.ms(this.k + 1);
      this.k += 1;
      if (this.gliding) {
        this.gliding = false;
        this.spent = 0;
      }
    }
    if (this.k >= this.picture.steps) Object.assign(this, { playing: false, gliding: false, spent: 0 });
  }

  stop() {
    cancelAnimationFrame(this.frame);
    Object.assign(this, { frame: null, playing: false, gliding: false });
  }
}
