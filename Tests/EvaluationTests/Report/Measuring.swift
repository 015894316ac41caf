/// The page that looks at the report from outside: the report itself allows no script.
enum Measuring {
    static func page(widths: [Int]) -> String {
        let frames = widths.map { "<iframe width=\"\($0)\" height=\"900\" src=\"report.html\"></iframe>" }
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>measuring</title></head>
            <body>\(frames.joined())<script>\(script)</script></body></html>
            """
    }

    private static let script = #"""
        const numbers = text => (text.match(/[\d.]+/g) || []).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
        const look = frame => {
            const view = frame.contentWindow, page = view.document, root = page.documentElement;
            for (const part of page.querySelectorAll('details')) part.open = true;
            const ground = element => {
                for (let at = element; at; at = at.parentElement) {
                    const colour = numbers(view.getComputedStyle(at).backgroundColor);
                    if (colour.length === 3 || colour[3] > 0) return colour;
                }
                return [255, 255, 255];
            };
            const faint = [], wide = [];
            for (const element of page.querySelectorAll('body *')) {
                const box = element.getBoundingClientRect();
                if (box.width && (box.right > view.innerWidth + 1 || (box.left < -1 && !element.matches('.skip'))))
                    wide.push(element.tagName + '.' + element.getAttribute('class') + ' ' + Math.round(box.right));
                const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
                if (!own || !box.width || element.matches('title, desc')) continue;
                const style = view.getComputedStyle(element);
                const colour = element.namespaceURI.endsWith('svg') ? style.fill : style.color;
                const found = ratio(numbers(colour), ground(element));
                if (found < 4.5) faint.push(element.tagName + '.' + element.getAttribute('class') + ' ' + found.toFixed(2));
            }
            const broken = [];
            for (const table of page.querySelectorAll('table')) if (!table.caption) broken.push('table without caption');
            for (const head of page.querySelectorAll('th')) if (!head.scope) broken.push('th without scope');
            for (const part of page.querySelectorAll('[aria-labelledby]'))
                for (const id of part.getAttribute('aria-labelledby').split(' '))
                    if (!page.getElementById(id)) broken.push('no ' + id);
            const rows = {};
            for (const tile of page.querySelectorAll('.tile')) {
                const top = Math.round(tile.getBoundingClientRect().top);
                rows[top] = (rows[top] || 0) + 1;
            }
            const unit = {};
            for (const picture of page.querySelectorAll('svg.sum')) {
                const values = [...picture.querySelectorAll('text[text-anchor=end]')].map(text => Math.abs(Number(text.textContent)));
                [...picture.querySelectorAll('rect')].forEach((bar, place) => {
                    if (values[place] >= 0.2) unit[(parseFloat(bar.getAttribute('width')) / values[place]).toFixed(0)] = 1;
                });
            }
            let level = 0;
            for (const head of page.querySelectorAll('h1, h2, h3, h4, h5')) {
                const own = Number(head.tagName[1]);
                if (own > level + 1) broken.push(head.tagName + ' after h' + level);
                level = own;
            }
            return {
                tiles: Object.values(rows), units: Object.keys(unit).length,
                width: view.innerWidth, content: root.scrollWidth, height: root.scrollHeight, wide, faint, broken,
                dark: view.matchMedia('(prefers-color-scheme: dark)').matches,
                paper: view.getComputedStyle(page.body).backgroundColor,
                smallest: Math.min(...[...page.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().width)
                    .map(e => parseFloat(view.getComputedStyle(e).fontSize))),
            };
        };
        addEventListener('load', () => {
            const result = { frames: [...document.querySelectorAll('iframe')].map(look) };
            const shown = document.createElement('pre');
            shown.id = 'result';
            shown.textContent = JSON.stringify(result);
            document.body.replaceChildren(shown);
        });
        """#
}
