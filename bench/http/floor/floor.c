// The same calls by libcurl alone, in C and on one thread: what no client over libcurl can be cheaper than.
//
// floor URL COUNT AT-ONCE, or floor URL,URL,... RUNS runs: each run asks all of them at once. Handles are kept, answers are read whole into memory that is kept too, and the limits of time and
// of size are those of the client. Nobody is woken, and no caller waits on another thread.
#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { most_bytes = 2 << 20, most_at_once = 64 };

struct answer {
    CURL *easy;
    char *bytes;
    size_t count;
    size_t head_bytes;
};

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    struct answer *answer = context;
    if (answer->count + size * count > most_bytes) return 0;
    memcpy(answer->bytes + answer->count, bytes, size * count);
    answer->count += size * count;
    return size * count;
}

static size_t take_head(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    struct answer *answer = context;
    answer->head_bytes += size * count;
    return answer->head_bytes > 32 << 10 ? 0 : size * count;
}

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void begin(CURLM *multi, struct answer *answer) {
    answer->count = 0;
    answer->head_bytes = 0;
    curl_multi_add_handle(multi, answer->easy);
}

int main(int argument_count, char **arguments) {
    if (argument_count != 4) return 64;
    bool is_runs = strcmp(arguments[3], "runs") == 0;
    char *urls[most_at_once];
    long url_count = 0;
    for (char *url = strtok(arguments[1], ","); url && url_count < most_at_once; url = strtok(NULL, ",")) urls[url_count++] = url;
    if (url_count < 1) return 64;
    long rounds = atol(arguments[2]), at_once = is_runs ? url_count : atol(arguments[3]);
    long calls = is_runs ? rounds * url_count : rounds;
    if (calls < 1 || at_once < 1 || at_once > most_at_once) return 64;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    static struct answer answers[most_at_once];
    for (long place = 0; place < at_once; place++) {
        struct answer *answer = &answers[place];
        answer->easy = curl_easy_init();
        answer->bytes = malloc(most_bytes);
        curl_easy_setopt(answer->easy, CURLOPT_URL, urls[place % url_count]);
        curl_easy_setopt(answer->easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(answer->easy, CURLOPT_PROXY, "");
        curl_easy_setopt(answer->easy, CURLOPT_ACCEPT_ENCODING, "");
        curl_easy_setopt(answer->easy, CURLOPT_CONNECTTIMEOUT_MS, 2000L);
        curl_easy_setopt(answer->easy, CURLOPT_TIMEOUT_MS, 10000L);
        curl_easy_setopt(answer->easy, CURLOPT_WRITEFUNCTION, take_body);
        curl_easy_setopt(answer->easy, CURLOPT_WRITEDATA, answer);
        curl_easy_setopt(answer->easy, CURLOPT_HEADERFUNCTION, take_head);
        curl_easy_setopt(answer->easy, CURLOPT_HEADERDATA, answer);
        curl_easy_setopt(answer->easy, CURLOPT_PRIVATE, (char *)answer);
    }
    double processor = processor_seconds(), start = seconds();
    long begun = 0, ended = 0, answered = 0;
    for (; begun < at_once && begun < calls; begun++) begin(multi, &answers[begun]);
    while (ended < calls) {
        int running = 0, left = 0;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            struct answer *answer = NULL;
            long status = 0;
            CURLcode result = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&answer);
            curl_easy_getinfo(answer->easy, CURLINFO_RESPONSE_CODE, &status);
            answered += result == CURLE_OK && status == 200;
            ended++;
            curl_multi_remove_handle(multi, answer->easy);
            if (!is_runs && begun < calls) {
                begun++;
                begin(multi, answer);
            }
        }
        if (is_runs && ended == begun && begun < calls) {
            for (long place = 0; place < at_once; place++, begun++) begin(multi, &answers[place]);
        }
        if (ended < calls) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    double taken = seconds() - start;
    processor = processor_seconds() - processor;
    if (is_runs) {
        printf(
            "{\"client\": \"libcurl in C\", \"runs\": %ld, \"services\": %ld, \"answered\": %ld, \"cpu_us_per_call\": %.1f, "
            "\"ms_per_run\": %.1f}\n",
            rounds, url_count, answered, processor / (double)calls * 1e6, taken / (double)rounds * 1e3);
        return 0;
    }
    printf(
        "{\"client\": \"libcurl in C\", \"calls\": %ld, \"at_once\": %ld, \"answered\": %ld, \"cpu_us_per_call\": %.1f, "
        "\"calls_per_s\": %.1f}\n",
        calls, at_once, answered, processor / (double)calls * 1e6, (double)calls / taken);
    return 0;
}
