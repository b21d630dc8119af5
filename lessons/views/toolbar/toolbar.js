// The bar above every page: language, share, presenter mode. Words and state come with the data; it only reports
// what was asked. The address it reports is the browser's own, which knows the stage's step.
const bars = new WeakMap();

// The step that the stage has come to; a page drawn anew begins there.
const step = () => new URLSearchParams(window.location.search).get("step") ?? "";

function build(root, report) {
  const bar = document.createElement("div");
  bar.className = "bar";
  const picker = document.createElement("select");
  const share = document.createElement("button");
  const present = document.createElement("button");
  picker.onchange = () => report("lang", [picker.value, step()]);
  share.onclick = () => report("share", window.location.href);
  present.onclick = () => report("present", [present.dataset.to, step()]);
  bar.append(picker, share, present);
  root.append(bar);
  const leave = (event) => {
    if (event.key === "Escape" && bar.dataset.present === "1" && !event.defaultPrevented) report("present", ["0", step()]);
  };
  document.addEventListener("keydown", leave);
  const list = new MutationObserver(tellPresent);
  list.observe(document.body, { childList: true, subtree: true });
  const end = () => { document.removeEventListener("keydown", leave); list.disconnect(); };
  return { bar, picker, share, present, end };
}

// The list of pages shows the present page by its weight; whoever does not see that is told.
function tellPresent() {
  for (const link of document.querySelectorAll('[data-testid="stPageLink-NavLink"]')) {
    if (link.pathname !== window.location.pathname) link.removeAttribute("aria-current");
    else link.setAttribute("aria-current", "page");
  }
}

// On a narrow screen the list of pages lies over the page: it closes once another page has been chosen from it.
function arrive(page) {
  const root = document.documentElement;
  const closed = document.querySelector('[data-testid="stExpandSidebarButton"]');
  const close = document.querySelector('[data-testid="stSidebarCollapseButton"] button');
  const moved = root.dataset.page && root.dataset.page !== page;
  if (moved && !closed && matchMedia("(max-width: 767px)").matches) close?.click();
  root.dataset.page = page;
  tellPresent();
}

export default function ({ parentElement, data, setTriggerValue }) {
  if (!bars.has(parentElement)) bars.set(parentElement, build(parentElement, (name, value) => setTriggerValue(name, value)));
  const { bar, picker, share, present, end } = bars.get(parentElement);
  const { lang, languages, words } = data;

  document.documentElement.lang = lang;
  arrive(data.page);
  bar.dataset.present = data.present ? "1" : "0";

  picker.replaceChildren(...Object.entries(languages).map(([code, name]) => {
    const option = new Option(name, code, false, code === lang);
    option.lang = code;
    return option;
  }));
  picker.setAttribute("aria-label", words.language);
  share.textContent = words.share;
  present.textContent = data.present ? words.leave : words.present;
  present.title = data.present ? words.leave_hint : words.present_hint;
  present.dataset.to = data.present ? "0" : "1";

  return () => { end(); bars.delete(parentElement); };
}
