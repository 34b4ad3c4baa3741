// What is wrong with a report, as a list of sentences. It is put to the page from outside: the page itself has no script.
(() => {
  const wrong = [];
  const say = text => { if (wrong.length < 40 && !wrong.includes(text)) wrong.push(text); };
  const shown = element => element.checkVisibility({ visibilityProperty: true });
  const named = element => `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") || ""}">`;

  // Sideways nothing leaves the page.
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) say(`the page is ${page.scrollWidth} pixels wide, the window ${innerWidth}`);
  // A phone shows a page that is too wide in smaller letters.
  if (screen.width < 640 && innerWidth > screen.width) say(`the page needs ${innerWidth} pixels, the screen has ${screen.width}`);

  // No two texts cover each other, none leaves the window, none is cut.
  const left = new Set([".tip", ".tip2", ".skip", ".vh", "title", "style"].flatMap(one => [...document.querySelectorAll(one)]));
  const isLeft = node => { for (let up = node; up; up = up.parentElement) if (left.has(up)) return true; return false; };
  // What has room in its box does not scroll, whatever the box may do.
  const isCut = box => /auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth + 1;
  const scrolls = node => { for (let up = node; up; up = up.parentElement) if (isCut(up)) return true; return false; };
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!node.textContent.trim() || isLeft(parent) || !shown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      // The line is higher than its letters.
      const inset = box.height * 0.22;
      texts.push({ node, parent, text: node.textContent.trim().slice(0, 40), top: box.top + inset, bottom: box.bottom - inset, left: box.left, right: box.right });
      if (!scrolls(parent) && (box.left < -1 || box.right > innerWidth + 1)) say(`"${node.textContent.trim()}" leaves the window`);
    }
    for (let up = parent; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflowX === "hidden" && up.scrollWidth > up.clientWidth + 1 && style.display !== "inline") {
        say(`"${node.textContent.trim()}" is cut in ${named(up)}`);
        break;
      }
    }
  }
  texts.sort((a, b) => a.top - b.top);
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length && texts[j].top < texts[i].bottom; j++) {
      const a = texts[i], b = texts[j];
      if (a.node === b.node || scrolls(a.parent) !== scrolls(b.parent)) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1 && !scrolls(a.parent)) say(`"${a.text}" and "${b.text}" cover each other`);
    }
  }

  // On a wide page a table has room, or a note in front of it says that it scrolls. On a phone it may scroll.
  const leastWide = 1200;
  for (const box of innerWidth < leastWide ? [] : document.body.querySelectorAll("*")) {
    if (!shown(box) || !isCut(box)) continue;
    const note = box.previousElementSibling;
    if (note && shown(note) && note.textContent.includes("scrolls sideways")) continue;
    say(`${named(box)} shows ${box.clientWidth} of ${box.scrollWidth} pixels: "${box.textContent.trim().slice(0, 60)}"`);
  }

  // Marks stay inside their plots.
  for (const plot of document.querySelectorAll("svg.strip, svg.mini, svg.bar, svg.fg, .pl > svg, .np > svg, .slp > svg")) {
    if (!shown(plot)) continue;
    const own = plot.getBoundingClientRect();
    if (plot.matches(".strip:not(.tall), .bar, .fg") && own.height > 40) say(`a row's plot is ${own.height} pixels high`);
    for (const mark of plot.querySelectorAll("circle, rect, line, path, polyline")) {
      const box = mark.getBoundingClientRect();
      if (box.left < own.left - 9 || box.right > own.right + 9 || box.top < own.top - 9 || box.bottom > own.bottom + 9) {
        say(`${named(mark)} leaves ${named(plot)}`);
      }
    }
  }

  // Who cannot see a plot hears what it shows.
  for (const plot of document.querySelectorAll("svg")) {
    if (plot.parentElement.closest("svg") || plot.closest("[aria-hidden=true]")) continue;
    if (plot.getAttribute("role") !== "img") say(`${named(plot)} has no role`);
    if (!(plot.getAttribute("aria-label") || "").trim()) say(`${named(plot)} has no label`);
    if (shown(plot) && plot.getBoundingClientRect().width < 8) say(`${named(plot)} has no size`);
  }
  for (const table of document.querySelectorAll("table")) {
    if (table.querySelector("th:not([scope])")) say("a heading of a table has no scope");
  }

  // Nothing is run and nothing is fetched.
  const foreign = document.querySelector("script, link, img, iframe, object, embed, [src], [srcset]");
  if (foreign) say(`there is ${named(foreign)}`);
  for (const one of document.querySelectorAll("*")) {
    if ([...one.attributes].some(attribute => attribute.name.startsWith("on"))) say(`${named(one)} runs a script`);
  }

  // Links lead somewhere, and identifiers differ.
  const ids = [...document.querySelectorAll("[id]")].map(one => one.id);
  ids.filter((id, at) => ids.indexOf(id) !== at).forEach(id => say(`the identifier ${id} stands twice`));
  const names = [...document.querySelectorAll("a[download]")].map(one => one.download);
  names.filter((name, at) => names.indexOf(name) !== at).forEach(name => say(`two plots are saved as ${name}`));
  for (const link of document.querySelectorAll("a")) {
    const to = link.getAttribute("href") || "";
    if (link.download) {
      const kind = "data:image/svg+xml,", text = decodeURIComponent(to.slice(kind.length));
      const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      if (!to.startsWith(kind) || drawn.tagName !== "svg") say(`${link.download} is no picture: ${drawn.textContent.slice(0, 100)}`);
      continue;
    }
    if (!to.startsWith("#") || !document.getElementById(to.slice(1))) say(`the link ${to} leads nowhere`);
  }
  // A plot ends in a link that saves it.
  for (const plot of document.querySelectorAll("main section.contest .plot, .cv, .nps, .brs, .fs")) {
    if (!plot.closest("#contests, #noise, #published") || document.querySelector("#means")) continue;
    if (!plot.nextElementSibling || !plot.nextElementSibling.querySelector("a[download]")) say(`${named(plot)} cannot be saved`);
  }

  if (document.querySelectorAll("h1").length !== 1) say("there is not one heading");
  if (!page.lang) say("the language is not named");
  return wrong;
})()
