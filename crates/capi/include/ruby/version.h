#ifndef RUBY_VERSION_H
#define RUBY_VERSION_H 1
#define RUBY_AUTHOR "Yukihiro Matsumoto"
#define RUBY_BIRTH_YEAR 1993
#define RUBY_BIRTH_MONTH 2
#define RUBY_BIRTH_DAY 24
#define RUBY_API_VERSION_MAJOR 4
#define RUBY_API_VERSION_MINOR 0
#define RUBY_API_VERSION_TEENY 0
#define RUBY_API_VERSION_CODE (RUBY_API_VERSION_MAJOR*10000+RUBY_API_VERSION_MINOR*100+RUBY_API_VERSION_TEENY)
/* For extensions that have to recognize Beni. */
#define BENI 1
#ifdef __cplusplus
extern "C" {
#endif
extern const int ruby_api_version[3];
extern const char ruby_version[];
extern const char ruby_release_date[];
extern const char ruby_platform[];
extern const char ruby_description[];
extern const char ruby_copyright[];
extern const char ruby_engine[];
extern const int ruby_patchlevel;
#ifdef __cplusplus
}
#endif
#endif
