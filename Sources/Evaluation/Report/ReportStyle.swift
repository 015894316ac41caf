/// The page's one style sheet: calm, light and dark, from a phone's width on.
enum ReportStyle {
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--paper:#faf8f4;--card:#fffefb;--ink:#23262c;--soft:#5c626c;--line:#e3ded4;\
        --track:#f0ece3;--ours:#0b6a6c;--theirs:#95561b;--good:#1b6b3a;--good-tint:#e2f1e6;--bad:#a22a2a;--bad-tint:#fae5e2;\
        --warm:#7a5a00;--warm-tint:#f8eecb;--shade:0 1px 2px rgb(60 50 30/.06),0 6px 20px rgb(60 50 30/.05)}
        @media (prefers-color-scheme:dark){:root{--paper:#15171a;--card:#1c1f23;--ink:#e9e6df;--soft:#a7adb7;--line:#33383f;\
        --track:#282c32;--ours:#6fcbc4;--theirs:#e0a468;--good:#86d3a0;--good-tint:#1b3325;--bad:#f2a09a;--bad-tint:#402221;\
        --warm:#e6c767;--warm-tint:#3a321a;--shade:none}}
        *{box-sizing:border-box}
        html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
        body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,\
        "Noto Sans",sans-serif;overflow-wrap:anywhere}
        header,main,footer{max-width:66rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
        header{padding-top:clamp(2rem,7vw,4.5rem)}
        h1,h2{font-family:ui-serif,Georgia,"Iowan Old Style","Noto Serif",serif;font-weight:600;line-height:1.2;\
        text-wrap:balance}
        h1{font-size:clamp(1.9rem,5.5vw,3.1rem);margin:.2em 0 .6em;letter-spacing:-.01em}
        h2{font-size:1.55rem;margin:0 0 .6em}
        h3{font-size:1.15rem;margin:0 0 .2em}
        h4{font-size:1rem;margin:0 0 .8em;padding-bottom:.4em;border-bottom:3px solid}
        h5{font-size:1rem;line-height:1.35;margin:.5em 0 .15em}
        p{margin:0 0 .8em}
        .eyebrow{color:var(--soft);margin:0;letter-spacing:.02em}
        .lead{font-size:1.1rem;max-width:44rem}
        .soft,.facts,figcaption,caption,footer{color:var(--soft)}
        h4 .soft{font-weight:400;font-size:.9rem}
        section{padding:clamp(1.6rem,5vw,3rem) 0 0;scroll-margin-top:1rem}
        section>p{max-width:44rem}
        nav ul,.tiles,.cards,footer ul{list-style:none;margin:0;padding:0}
        nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin-top:1.6rem;padding-top:1rem;border-top:1px solid var(--line)}
        a{color:var(--ours);text-underline-offset:.2em}
        a:focus-visible,summary:focus-visible{outline:3px solid var(--ours);outline-offset:3px;border-radius:3px}
        .skip{position:absolute;left:-100vw;top:0;background:var(--card);padding:.6rem 1rem}
        .skip:focus{left:0}
        .panel,.vault{background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shade);\
        padding:clamp(.8rem,3vw,1.5rem);margin:0 0 1rem}
        .tiles{display:grid;grid-template-columns:repeat(2,1fr);gap:.8rem}\
        @media (min-width:36rem){.tiles{grid-template-columns:repeat(3,1fr)}}\
        @media (min-width:68rem){.tiles{grid-template-columns:repeat(6,1fr)}}
        .tile{background:var(--card);border:1px solid var(--line);border-top:4px solid;border-radius:14px;\
        box-shadow:var(--shade);padding:.8rem 1rem 1rem}
        .tile p{margin:0}
        .tile.kept{border-top-color:var(--good)}
        .tile.broken{border-top-color:var(--bad);background:var(--bad-tint)}
        .tile .count{font:600 2.1rem/1.2 ui-serif,Georgia,"Noto Serif",serif}
        .tile .what{font-weight:600;line-height:1.35}
        .kept .mark{color:var(--good)}.broken .mark{color:var(--bad)}
        .broken .soft{color:var(--ink)}
        table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
        caption{text-align:left;padding:0 0 .8rem;font-size:.9rem;text-wrap:pretty}
        th,td{padding:.5rem .5rem;text-align:left;vertical-align:top;border-top:1px solid var(--line);font-weight:400}
        thead th{border-top:0;font-weight:600;vertical-align:bottom}
        thead th:not(:first-child),.number{text-align:right}
        th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}
        tbody+tbody tr:first-child>*{border-top:2px solid var(--line)}
        .group th{font-weight:600;padding-top:1rem}
        small{display:block;font-size:.8rem;color:var(--soft)}
        .phone{display:none}
        .few,.few small{color:var(--soft)}
        thead .ours,h4.ours,.ours>h4{color:var(--ours)}thead .theirs,.theirs>h4{color:var(--theirs)}
        .number.good{color:var(--good);font-weight:600}.number.bad{color:var(--bad);font-weight:600}
        .number{white-space:nowrap;overflow-wrap:normal}.number small{font-weight:400}
        th,td{overflow-wrap:break-word}.label{overflow-wrap:anywhere}
        abbr{text-decoration:underline dotted;text-underline-offset:.2em}
        .notes{margin:0;padding-left:1.2rem}
        figure{margin:0}
        figcaption{font-size:.9rem;margin-top:.8rem}
        svg{display:block;overflow:visible}
        svg text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:var(--ink);\
        font-variant-numeric:tabular-nums}
        svg text.soft{fill:var(--soft)}svg text.strong{font-weight:600}
        .track{fill:var(--track)}.grid{stroke:var(--line)}
        line.ours,line.theirs{stroke-width:4;stroke-linecap:round;opacity:.55}
        line.ours{stroke:var(--ours)}line.theirs{stroke:var(--theirs)}
        circle.ours{fill:var(--ours)}circle.theirs{fill:var(--theirs)}
        .curve{fill:none;stroke:var(--ours);stroke-width:2.5;vector-effect:non-scaling-stroke}
        .band{fill:var(--ours);opacity:.14}.base{stroke:var(--soft);stroke-dasharray:4 4}
        .legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;margin-bottom:.4rem}
        .key::before{content:"";display:inline-block;width:.75em;height:.75em;border-radius:50%;margin-right:.5em;\
        background:currentColor}
        .key.ours{color:var(--ours)}.key.theirs{color:var(--theirs)}
        .sides{display:grid;gap:1.4rem;margin-top:1rem}
        .side.alone{margin-top:1rem}
        .card{padding:.9rem 0;border-top:1px solid var(--line)}
        .card:first-child{border-top:0;padding-top:0}
        .card p{margin:0 0 .5em;font-size:.95rem}
        .card .facts{font-size:.88rem}
        .card .badge,.flag{display:inline-block;font-size:.8rem;font-weight:600;padding:.1em .7em;border-radius:99px;\
        border:1px solid var(--line);margin:0}
        .badge.grade3,.badge.grade2{background:var(--good-tint);color:var(--good);border-color:transparent}
        .badge.grade1{background:var(--warm-tint);color:var(--warm);border-color:transparent}
        .badge.forbidden,.flag{background:var(--bad-tint);color:var(--bad);border-color:transparent}
        .flag{margin:0 .4em .5em 0}
        .why{color:var(--soft);font-style:italic}
        .plus{fill:var(--ours)}.theirs .plus{fill:var(--theirs)}.minus{fill:var(--bad)}
        .sum{margin:.4rem 0 .6rem}.sum text{font-size:12px}
        details>summary{cursor:pointer;font-weight:600}
        details[open]>summary{margin-bottom:.8rem}
        dt{font-weight:600}dd{margin:0 0 .6em;color:var(--soft)}
        code{font-size:.9em}
        .data{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem;margin:0}
        rect.ours{fill:var(--ours)}rect.theirs{fill:var(--theirs)}
        footer{padding-top:2rem;padding-bottom:4rem;font-size:.9rem}
        @media (min-width:52rem){.sides{grid-template-columns:1fr 1fr;gap:2.4rem}\
        .side.alone .cards{display:grid;grid-template-columns:repeat(3,1fr);gap:2rem}\
        .side.alone .card{border-top:0;padding-top:0}}
        @media (max-width:30rem){th,td{padding:.45rem .2rem;font-size:.84rem}small{font-size:.72rem}\
        .number small{white-space:normal}thead .label{min-width:3.9rem}\
        small.phone{display:block}abbr.phone{display:inline}.desk{display:none}svg text{font-size:12px}}
        @media print{body{background:none}.panel,.vault,.tile{box-shadow:none;break-inside:avoid}nav,.skip{display:none}}
        """
}
