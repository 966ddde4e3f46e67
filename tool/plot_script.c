// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plot as a gnuplot script that needs nothing else: its data are in it, it
 * names no file and writes to standard output. All text goes through
 * put_quoted() or put_plain(), as names of processes and files hold anything.
 */
#include <stdlib.h>
#include <string.h>

#include "plot_scale.h"
#include "plot_script.h"
#include "utf8.h"

/* Of a picture, in the pixels of .svg and .png. */
#define WIDTH		1000.0
#define TOP		76.0	/* above the first panel: title and subtitle */
#define PANEL		420.0
#define PANEL_OF_TWO	290.0
#define BELOW		64.0	/* each panel: its axis */
#define LEFT		84.0
#define TEXT_CHAR	6.2	/* of the subtitle, on average */
#define LEGEND_CHAR	7.6
#define LEGEND_SAMPLE	76.0
/* Of a terminal, in characters. */
#define TERMINAL_TOP	3
#define TERMINAL_PANEL	16	/* at least */
#define TERMINAL_BELOW	4
#define TERMINAL_LEFT	9
#define TERMINAL_SAMPLE	7

#define MAX_NAME	40	/* characters of a name in the legend */
#define MARKERS		12	/* along a line */
#define MAX_HOVERS	5000	/* points of a panel that say what they are */
#define SHORT_COMMAND	20	/* characters of it that go before what it was run on */
#define LOST_TITLE	"events lost"

/*
 * Told apart by people who see fewer colours too, by hue or lightness; those
 * that come close to each other differ in dash and marker.
 */
static const struct look {
	const char *colour;
	const char *dash;
	unsigned int marker;
} looks[] = {
	{ "#000000", "1", 5 },
	{ "#0072b2", "1", 7 },
	{ "#d55e00", "1", 9 },
	{ "#009e73", "1", 11 },
	{ "#cc79a7", "1", 13 },
	{ "#56b4e9", "1", 4 },
	{ "#e69f00", "1", 6 },
	{ "#882255", "(8,4)", 8 },
	{ "#999933", "(8,4)", 10 },
	{ "#332288", "(8,4)", 12 },
	{ "#8c564b", "(3,3)", 5 },
	{ "#777777", "(3,3)", 7 },
	{ "#bb5566", "(3,3)", 9 },
	{ "#004488", "(3,3)", 11 },
	{ "#ddaa33", "(3,3)", 13 },
	{ "#aa4499", "(8,4)", 4 },
};

#define NR_LOOKS	(sizeof(looks) / sizeof(*looks))

/* Where a plot is written to and what for. */
struct script {
	FILE *out;
	const struct csn_plot *plot;
	const struct csn_plot_screen *screen;
	bool is_terminal;
};

static void put_char(FILE *out, const char *start, const char *end, __u32 ch)
{
	if (ch == CSN_UTF8_INVALID || ch < ' ' || (ch >= 0x7f && ch < 0xa0))
		fputc('?', out);
	else
		fwrite(start, 1, end - start, out);
}

/*
 * A picture of pixels or a .pdf has the glyphs of this machine's fonts. One that
 * none has is drawn as a blot across the picture, so that only what the fonts of
 * every system have is drawn: to U+07FF, punctuation and symbols.
 */
static bool may_draw(const struct script *script, __u32 ch)
{
	enum csn_plot_format format = script->plot->format;

	if (format != CSN_PLOT_PNG && format != CSN_PLOT_PDF)
		return true;
	return ch < 0x800 || (ch >= 0x1e00 && ch < 0x2800);
}

/*
 * A string that gnuplot takes as it is, of no more than @max characters. It
 * is between double quotes, as between single ones no two quotes can follow
 * each other; there, backquotes would run what is between them.
 */
static void put_quoted(const struct script *script, const char *text, size_t max)
{
	const char *begin = text, *end = text + strlen(text);
	FILE *out = script->out;

	fputc('"', out);
	for (; text < end; max--) {
		const char *start = text;
		__u32 ch = csn_utf8_next(&text, end);

		if (max <= 3 && (size_t)(end - start) > max) {
			fputs("...", out);
			break;
		}
		if (ch < 0x7f && strchr("\"\\`@", ch))
			fprintf(out, "\\%03o", ch);
		else if (!may_draw(script, ch))
			fputc('?', out);
		else if (ch == '>' && start - begin >= 2 && !memcmp(start - 2, "]]", 2))
			fputc('?', out);	/* gnuplot's svg would be none */
		else
			put_char(out, start, text, ch);
	}
	fputc('"', out);
}

/*
 * What can stand in a quoted column of data and comes out unharmed in a page's
 * script: no quotes, no markup, no backslash.
 */
static void put_plain(FILE *out, const char *text)
{
	const char *end = text + strlen(text);

	while (text < end) {
		const char *start = text;
		__u32 ch = csn_utf8_next(&text, end);

		if (ch < 0x7f && strchr("\"'\\<>&`$", ch))
			ch = CSN_UTF8_INVALID;
		put_char(out, start, text, ch);
	}
}

/* 2500000 as 2.5M, in the unit that @of is in. */
static void put_number(FILE *out, double number, double of)
{
	const char *unit = "kMGTPEZY";
	char suffix[2] = "";

	for (; number && of >= 10000 && *unit; of /= 1000, number /= 1000)
		*suffix = *unit++;
	fprintf(out, "%g%s", number, suffix);
}

static void put_tics(FILE *out, char axis, const struct csn_plot_scale *scale, bool log)
{
	double at = scale->first;

	fprintf(out, "set %ctics nomirror (", axis);
	if (log && scale->zero < scale->first)
		fprintf(out, "'0' %.15g, ", scale->zero);
	while (at <= scale->high * 1.000001) {
		fputc('\'', out);
		put_number(out, at, log ? at : scale->high);
		fprintf(out, "' %.15g", at);
		at = log ? at * scale->step : at + scale->step;
		if (at <= scale->high * 1.000001)
			fputs(", ", out);
	}
	fputs(")\n", out);
}

static void put_axis(const struct script *script, char axis,
		     const struct csn_plot_axis *what,
		     const struct csn_plot_scale *scale)
{
	FILE *out = script->out;
	char title[128];

	snprintf(title, sizeof(title), *what->unit ? "%s (%s)" : "%s",
		 what->title, what->unit);
	/* A terminal cannot turn it, and beside the numbers is no room. */
	if (script->is_terminal && axis == 'y')
		fputs("set label 4 ", out);
	else
		fprintf(out, "set %clabel ", axis);
	put_quoted(script, title, sizeof(title));
	if (script->is_terminal && axis == 'y')
		fprintf(out, " at graph 0, graph 1 offset character %d,1",
			1 - TERMINAL_LEFT);
	fprintf(out, "\n%sset logscale %c\n", what->log ? "" : "un", axis);
	fprintf(out, "set %crange [%.15g:%.15g] noextend\n", axis, scale->low,
		scale->high);
	if (scale->step)
		put_tics(out, axis, scale, what->log);
	else
		fprintf(out, "set %ctics nomirror autofreq format '%%.10g'\n",
			axis);
}

/* What no axis can show, where the numbers should be: keeps the legend. */
static void put_nowhere(FILE *out, const struct csn_plot_scale *x,
			const struct csn_plot_scale *y)
{
	double below = y->zero ? y->zero / 10 : -1;

	fprintf(out, "%.15g %.15g %.15g\n", x->low, below, below);
}

static void put_data(const struct script *script, size_t panel_number,
		     const struct csn_plot_scale *x, const struct csn_plot_scale *y)
{
	const struct csn_plot_panel *panel = &script->plot->panel[panel_number];
	FILE *out = script->out;

	for (size_t i = 0; i < panel->nr_series; i++) {
		const struct csn_plot_series *series = &panel->series[i];

		fprintf(out, "$data%zu_%zu << EOD\n# x, from, to: ",
			panel_number, i);
		put_plain(out, series->name);
		fputc('\n', out);
		for (size_t j = 0; j < series->nr; j++) {
			double from = csn_plot_base(panel, i, j);
			double to = from + series->point[j].y;

			fprintf(out, "%.15g %.15g %.15g\n", series->point[j].x,
				from > y->zero ? from : y->zero,
				to > y->zero ? to : y->zero);
		}
		if (!series->nr)
			put_nowhere(out, x, y);
		fputs("EOD\n", out);
	}
}

/* Spans too short to be seen are made longer. */
static void put_lost(const struct script *script, size_t panel_number,
		     const struct csn_plot_scale *x)
{
	const struct csn_plot_panel *panel = &script->plot->panel[panel_number];
	double width = x->high - x->low;
	double least = script->is_terminal ? width / script->screen->columns :
					     width / WIDTH * 3;
	FILE *out = script->out;

	if (!panel->nr_lost)
		return;
	fprintf(out, "$lost%zu << EOD\n# x, y, from, to, bottom, top\n",
		panel_number);
	for (size_t i = 0; i < panel->nr_lost; i++) {
		double from = panel->lost[i].from, to = panel->lost[i].to;

		if (script->is_terminal) {
			for (; from <= to; from += least)
				fprintf(out, "%.15g 0.95\n", from);
			continue;
		}
		if (to - from < least) {
			from = (from + to - least) / 2;
			to = from + least;
		}
		fprintf(out, "%.15g 0.5 %.15g %.15g 0 1\n", from, from, to);
	}
	fputs("EOD\n", out);
}

static int compare_falling(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* The height from which on @most points of a series lie, or some more. */
static double height_of(const struct csn_plot_series *series, size_t most)
{
	double *heights, height = 0;

	if (series->nr <= most)
		return 0;
	heights = calloc(series->nr, sizeof(*heights));
	if (!heights)
		return 0;
	for (size_t i = 0; i < series->nr; i++)
		heights[i] = series->point[i].y;
	qsort(heights, series->nr, sizeof(*heights), compare_falling);
	height = heights[most - 1];
	free(heights);
	return height;
}

/* What a page shows while the mouse is at a point. */
static void put_hover(FILE *out, const struct csn_plot_panel *panel,
		      const struct csn_plot_series *series,
		      const struct csn_plot_point *point)
{
	bool is_whole = point->y < 1e15 && point->y == (__u64)point->y;

	fputc('"', out);
	put_plain(out, series->name);
	fprintf(out, is_whole ? ": %.0f " : ": %.6g ", point->y);
	put_plain(out, panel->y.unit);
	fprintf(out, panel->x.log ? "%sat %.6g " : "%sat %.3f ",
		*panel->y.unit ? " " : "", point->x);
	put_plain(out, panel->x.unit);
	if (point->note) {
		fputs(", ", out);
		put_plain(out, point->note);
	}
	fputs("\"\n", out);
}

static void put_hovers(const struct script *script, size_t panel_number,
		       const struct csn_plot_scale *x,
		       const struct csn_plot_scale *y)
{
	const struct csn_plot_panel *panel = &script->plot->panel[panel_number];
	FILE *out = script->out;

	for (size_t i = 0; i < panel->nr_series; i++) {
		const struct csn_plot_series *series = &panel->series[i];
		size_t left = MAX_HOVERS / panel->nr_series + 1;
		double height = height_of(series, left);

		fprintf(out, "$hover%zu_%zu << EOD\n# x, y, text\n",
			panel_number, i);
		for (size_t j = 0; j < series->nr && left; j++) {
			const struct csn_plot_point *point = &series->point[j];
			double top = csn_plot_base(panel, i, j) + point->y;

			if (point->y < height)
				continue;
			left--;
			fprintf(out, "%.15g %.15g ", point->x,
				top > y->zero ? top : y->zero);
			put_hover(out, panel, series, point);
		}
		if (!series->nr)
			put_nowhere(out, x, y);
		fputs("EOD\n", out);
	}
}

static void put_style(const struct script *script,
		      const struct csn_plot_panel *panel,
		      const struct csn_plot_series *series)
{
	const struct look *look = &looks[series->look % NR_LOOKS];
	FILE *out = script->out;

	if (script->is_terminal)
		fprintf(out, "using 1:3 with %s pointinterval %zu pt '%c'",
			panel->style == CSN_PLOT_POINTS ||
			!script->screen->colour ? "points" : "linespoints",
			panel->style == CSN_PLOT_POINTS ||
			!script->screen->colour ? 1 : series->nr / MARKERS + 1,
			series->mark);
	else if (panel->style == CSN_PLOT_STACKED)
		fputs("using 1:2:3 with filledcurves fillstyle solid 0.8 noborder",
		      out);
	else if (panel->style == CSN_PLOT_POINTS)
		fprintf(out, "using 1:3 with points pt %u ps 0.7", look->marker);
	else
		fprintf(out, "using 1:3 with linespoints lw 1.6 dt %s pt %u ps 0.7 pointinterval %zu",
			look->dash, look->marker, series->nr / MARKERS + 1);
	fprintf(out, " lc rgb '%s' title ", look->colour);
	put_quoted(script, series->name, MAX_NAME);
}

static bool is_empty(const struct csn_plot_panel *panel)
{
	for (size_t i = 0; i < panel->nr_series; i++)
		if (panel->series[i].nr)
			return false;
	return true;
}

static void put_panel(const struct script *script, size_t panel_number)
{
	const struct csn_plot_panel *panel = &script->plot->panel[panel_number];
	struct csn_plot_scale x = csn_plot_scale_x(panel);
	struct csn_plot_scale y = csn_plot_scale_y(panel);
	bool has_hovers = script->plot->format == CSN_PLOT_HTML;
	const char *separator = "plot ";
	FILE *out = script->out;

	if (is_empty(panel))
		fputs("set label 3 'nothing recorded' at graph 0.5, graph 0.5 center\n",
		      out);
	put_data(script, panel_number, &x, &y);
	put_lost(script, panel_number, &x);
	if (has_hovers)
		put_hovers(script, panel_number, &x, &y);
	/* There has to be something to plot. */
	fprintf(out, "$nothing << EOD\n");
	put_nowhere(out, &x, &y);
	fputs("EOD\n", out);
	put_axis(script, 'x', &panel->x, &x);
	put_axis(script, 'y', &panel->y, &y);
	/* Names from the top down, as the areas lie. */
	fprintf(out, "set key %sinvert\n",
		panel->style == CSN_PLOT_STACKED ? "" : "no");
	if (panel->nr_lost) {
		fprintf(out, "plot $lost%zu using %s title '" LOST_TITLE "'",
			panel_number, script->is_terminal ?
			"1:2 axes x1y2 with points pt '!' lc rgb '#cc0000'" :
			"1:2:3:4:5:6 axes x1y2 with boxxyerror fillstyle solid noborder lc rgb '#f4d6d2'");
		separator = ", \\\n\t";
	}
	for (size_t i = 0; i < panel->nr_series; i++) {
		fprintf(out, "%s$data%zu_%zu ", separator, panel_number, i);
		put_style(script, panel, &panel->series[i]);
		separator = ", \\\n\t";
	}
	for (size_t i = 0; has_hovers && i < panel->nr_series; i++)
		fprintf(out, "%s$hover%zu_%zu using 1:2:3 with labels hypertext point pt 7 ps 1.2 lc rgb '#ff000000' notitle",
			separator, panel_number, i);
	if (!panel->nr_series)
		fprintf(out, "%s$nothing using 1:2 with points notitle",
			separator);
	fputs("\nunset for [i=1:4] label i\n", out);
}

/* The longest name in the legends, characters. */
static size_t name_width(const char *name)
{
	const char *end = name + strlen(name);
	size_t width = 0;

	while (name < end)
		width += csn_utf8_width(csn_utf8_next(&name, end));
	return width;
}

static size_t legend_width(const struct csn_plot *plot)
{
	size_t longest = 0;

	for (size_t i = 0; i < plot->nr_panels; i++) {
		const struct csn_plot_panel *panel = &plot->panel[i];

		if (panel->nr_lost && longest < strlen(LOST_TITLE))
			longest = strlen(LOST_TITLE);
		for (size_t j = 0; j < panel->nr_series; j++) {
			size_t width = name_width(panel->series[j].name);

			if (longest < width)
				longest = width;
		}
	}
	return longest < MAX_NAME ? longest : MAX_NAME;
}

static void put_terminal(const struct script *script, double height)
{
	const struct csn_plot_screen *screen = script->screen;
	FILE *out = script->out;

	switch (script->plot->format) {
	case CSN_PLOT_SVG:
	case CSN_PLOT_HTML:
		fprintf(out, "set terminal svg noenhanced size %g,%g dynamic background rgb 'white' font 'sans-serif,13'%s\n",
			WIDTH, height, script->plot->format == CSN_PLOT_SVG ?
			"" : " mouse standalone name '" CSN_PLOT_SCRIPT_NAME "'");
		break;
	case CSN_PLOT_PNG:
		fprintf(out, "set terminal pngcairo noenhanced size %g,%g background rgb 'white' font 'sans,10'\n",
			WIDTH, height);
		break;
	case CSN_PLOT_PDF:
		fprintf(out, "set terminal pdfcairo noenhanced size %gin,%gin background rgb 'white' font 'sans,10'\n",
			WIDTH / 100, height / 100);
		break;
	case CSN_PLOT_TERMINAL:
		fprintf(out, "set terminal dumb noenhanced size %u,%g %s\n",
			screen->columns, height,
			screen->colour ? "ansi256" : "mono");
		break;
	}
}

/* Panels one below the other, with room for the texts around them. */
static void put_layout(const struct script *script)
{
	size_t source = strlen(script->plot->source);
	const struct csn_plot *plot = script->plot;
	unsigned int nr = plot->nr_panels;
	double width = WIDTH, top = TOP, below = BELOW, left = LEFT;
	double panel = nr == 1 ? PANEL : PANEL_OF_TWO, right, height, text, command;
	FILE *out = script->out;

	right = legend_width(plot) * LEGEND_CHAR + LEGEND_SAMPLE;
	text = (width - left) / TEXT_CHAR;
	if (script->is_terminal) {
		width = script->screen->columns;
		top = TERMINAL_TOP;
		below = TERMINAL_BELOW;
		left = TERMINAL_LEFT;
		right = legend_width(plot) + TERMINAL_SAMPLE;
		text = width < 2 * SHORT_COMMAND ? 2 * SHORT_COMMAND : width;
		panel = (script->screen->lines - top) / nr - below;
		if (panel < TERMINAL_PANEL)
			panel = TERMINAL_PANEL;
	}
	height = top + nr * (panel + below);

	put_terminal(script, height);
	fprintf(out, "set multiplot layout %u,1 margins %.4f,%.4f,%.4f,%.4f spacing %.4f\n",
		nr, left / width, 1 - right / width, below / height,
		1 - top / height, below / height);
	fputs("set label 1 ", out);
	put_quoted(script, plot->title, text);
	fprintf(out, " at screen %.4f, screen %.4f left%s\nset label 2 ",
		script->is_terminal ? 0 : left / width,
		1 - (script->is_terminal ? 0.5 : 24) / height,
		script->is_terminal ? "" : " font ',16'");
	command = source ? text - source - 4 : text;
	if (command < SHORT_COMMAND)
		command = SHORT_COMMAND;
	put_quoted(script, plot->command, command);
	if (source) {
		fputs(" . '  (' . ", out);
		put_quoted(script, plot->source, text - SHORT_COMMAND - 4);
		fputs(" . ')'", out);
	}
	fprintf(out, " at screen %.4f, screen %.4f left%s\n",
		script->is_terminal ? 0 : left / width,
		1 - (script->is_terminal ? 1.5 : 48) / height,
		script->is_terminal ? "" : " font ',11' textcolor rgb '#555555'");
}

/**
 * csn_plot_script_write() - write a plot as a script
 * @out: where to.
 * @plot: the plot.
 * @screen: the terminal, if it is drawn in one.
 */
void csn_plot_script_write(FILE *out, const struct csn_plot *plot,
			   const struct csn_plot_screen *screen)
{
	const struct script script = {
		.out = out,
		.plot = plot,
		.screen = screen,
		.is_terminal = plot->format == CSN_PLOT_TERMINAL,
	};

	fputs("# For gnuplot, which writes the picture to standard output.\n"
	      "set encoding utf8\n", out);
	put_layout(&script);
	fputs("set key outside right top reverse Left samplen 2\n"
	      "set y2range [0:1]\n", out);
	/* In a terminal points would vanish under the axes. */
	fputs(script.is_terminal ? "set border back\n" :
	      "set border 3 lc rgb '#555555'\n"
	      "set grid lc rgb '#dddddd' lt 1\n", out);
	for (size_t i = 0; i < plot->nr_panels; i++)
		put_panel(&script, i);
	fputs("unset multiplot\n", out);
}

/**
 * csn_plot_script_hovers() - tell which elements belong together in a page
 * @out: where to; as the inside of a JavaScript array.
 * @plot: the plot.
 *
 * gnuplot draws the points that say what they are apart from the lines; to be
 * hidden with them, they must be found.
 */
void csn_plot_script_hovers(FILE *out, const struct csn_plot *plot)
{
	for (size_t i = 0; i < plot->nr_panels; i++) {
		const struct csn_plot_panel *panel = &plot->panel[i];
		size_t first = panel->nr_lost ? 2 : 1;

		for (size_t j = 0; j < panel->nr_series; j++)
			fprintf(out, "[\"%s_plot_%zu%c\", \"%s_plot_%zu%c\"],\n",
				CSN_PLOT_SCRIPT_NAME, first + j, (char)('a' + i),
				CSN_PLOT_SCRIPT_NAME, first + panel->nr_series + j,
				(char)('a' + i));
	}
}
